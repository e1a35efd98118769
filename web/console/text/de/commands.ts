/** The texts of commands to a screen in German. */
import type { commands as english } from '../en/commands.ts';

export const commands: Record<keyof typeof english, string> = {
  'command.title': 'Am Bildschirm',
  'command.identify': 'Namen anzeigen',
  'command.identified': 'Der Bildschirm zeigt 30 Sekunden lang seinen Namen.',
  'command.reload': 'Neu laden',
  'command.reloaded': 'Der Player lädt nach dem laufenden Beitrag neu.',
  'command.screenshot': 'Bild aufnehmen',
  'command.waiting': 'Warten auf den Bildschirm …',
  'command.taken': 'Aufgenommen {time}. Wird nach einem Tag gelöscht.',
  'command.picture': 'Was der Bildschirm gezeigt hat',
  'command.unsupported': 'Sein Player ist älter oder von einem anderen Hersteller und nimmt keine Befehle an.',
  'command.fault.no_answer': 'Der Bildschirm hat innerhalb von 30 Sekunden kein Bild gesendet.',
  'command.fault.page': 'Der Bildschirm zeigt eine Karte oder Seite, von der Browser kein Bild hergeben.',
  'command.fault.protected': 'Der Browser des Bildschirms gibt die Bildpunkte dieser Datei nicht heraus.',
  'command.fault.nothing': 'Der Bildschirm zeigt gerade weder Werbung noch einen Beitrag.',
  'command.fault.other': 'Der Bildschirm konnte kein Bild aufnehmen.',
  'problem.screen_offline': 'Der Bildschirm ist nicht verbunden. Schalten Sie ihn ein und prüfen Sie sein Netz.',
  'problem.command_unsupported': 'Der Player dieses Bildschirms kennt den Befehl nicht. Aktualisieren Sie den Player.',
};
