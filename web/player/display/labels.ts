/** Draws the labels that the law asks for in the left corner of a picture; the code for phones is in the right one. */

type Language = 'en' | 'de';
const TEXTS: Readonly<Record<string, Record<Language, string>>> = {
  political: { en: 'Political ad', de: 'Politische Anzeige' },
  synthetic: { en: 'AI-generated', de: 'KI-generiert' },
};
/** The label data of a fill or a house item. */
export type Labels = { labels?: readonly string[]; political?: { sponsor: string; process?: string } };

/** As a share of the shorter side of the picture: 38 px of 1080 can be read across a room. */
const LETTERS = 0.035;
const OUTLINE = 0.008;
const MARGIN = 0.034;
const LINE = 1.25;
/** The mean width of a letter, of its height, and the room that the code takes with the margins around both. */
const LETTER_WIDTH = 0.56;
const BESIDE = 0.34;

/**
 * White letters with a dark outline, which can be read on any picture. Fitted into the window as the code is. Nothing
 * if this player knows none of the labels.
 */
export function drawLabels(
  of: Labels,
  { width, height }: { width: number; height: number },
): SVGSVGElement | undefined {
  const text = textOf(of);
  if (text === '') return undefined;
  const unit = Math.min(width, height);
  const letters = LETTERS * unit;
  const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  drawing.setAttribute('class', 'labels');
  drawing.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const lines = linesOf(text, Math.floor((width - BESIDE * unit) / (letters * LETTER_WIDTH)));
  lines.forEach((words, number) => {
    const line = document.createElementNS(drawing.namespaceURI, 'text') as SVGTextElement;
    line.setAttribute('x', String(MARGIN * unit));
    line.setAttribute('y', String(height - MARGIN * unit - (lines.length - 1 - number) * LINE * letters));
    line.setAttribute('font-size', String(letters));
    line.setAttribute('stroke-width', String(OUTLINE * unit));
    line.textContent = words;
    drawing.append(line);
  });
  return drawing;
}

/** All labels in one text. The sponsor and the process follow the label of a political ad. */
function textOf({ labels = [], political }: Labels): string {
  const language: Language = /^de\b/i.test(navigator.language) ? 'de' : 'en';
  return labels
    .map(label => {
      const text = TEXTS[label]?.[language];
      if (label !== 'political' || !political) return text;
      return [text, `Sponsor: ${political.sponsor}`, political.process].filter(Boolean).join(' · ');
    })
    .filter(Boolean)
    .join(' · ');
}

/** Breaks a text between words. A word longer than a line gets its own line. */
function linesOf(text: string, lettersMax: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + 1 + word.length <= lettersMax) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
