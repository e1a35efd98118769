/** The texts of the operator's pages in German. */
import type { OperatorTexts } from '../en/operator.ts';

export const operator: OperatorTexts = {
  'network.map': 'Wo Bildschirme stehen',
  'network.bubble': '{city}: {online} von {screens} Bildschirmen verbunden',
  'network.none': 'Es gibt noch keinen Bildschirm',
  'network.noneHint':
    'Bildschirme stehen hier, sobald ein Ort sie koppelt. Legen Sie einen Arbeitsbereich der Art venue an und laden Sie jemanden dorthin ein.',

  'reviews.lead': 'Kampagnen, über die die Regeln nicht entscheiden. Wer am längsten wartet, steht oben.',
  'reviews.none': 'Nichts wartet auf Sie',
  'reviews.noneHint': 'Kampagnen eingeschränkter Kategorien erscheinen hier von selbst.',
  'reviews.waiting': 'Wartend: {count}',
  'reviews.rule': '{category} wartet auf einen Menschen: {rule}.',
  'reviews.budget': 'Budget',
  'reviews.approve': 'Freigeben',
  'reviews.approveOf': 'Freigeben: {name}',
  'reviews.reject': 'Ablehnen',
  'reviews.rejectOf': '{name} ablehnen',
  'reviews.reason': 'Grund',
  'reviews.detail': 'Nachricht an den Werbekunden',
  'reviews.detailHint': 'Bleibt es leer, liest er den Satz des Grundes.',
  'network.lead': 'Jeder Bildschirm dieser Installation, wem er auch gehört.',
  'network.search': 'Bildschirm, Ort, Stadt oder Eigentümer',
  'network.owner': 'Eigentümer',
  'explorer.title': 'Entscheidungen: {screen}',
  'explorer.minute': 'Zum Zeitpunkt',
  'explorer.newest': 'Den neuesten folgen',
  'explorer.note': 'einen Platz öffnen für alle, die ihn nicht bekamen',
  'explorer.none': 'Er hat da nach keinem Platz gefragt',
  'explorer.expired': 'Der Platz ist älter als ein Tag: nur sein Gewinner ist noch bekannt.',
  'explorer.not_recorded': 'Woraus entschieden wurde, ist nicht aufgeschrieben oder noch unterwegs.',
  'explorer.more': 'und {count} weitere',
};
