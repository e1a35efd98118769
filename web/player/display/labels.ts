/** Draws the labels that the law asks for in the left corner of a picture; the code for phones is in the right one. */

type Language = 'en' | 'de';
const TEXTS: Readonly<Record<string, Record<Language, string>>> = {
  synthetic: { en: 'AI-generated', de: 'KI-generiert' },
};

/** Of the shorter side of the picture: 38 px of 1080 can be read across a room. */
const LETTERS = 0.035;
const OUTLINE = 0.008;
const MARGIN = 0.034;

/**
 * White letters with a dark outline, which can be read on any picture. Fitted into the window as the code is. Nothing
 * if this player knows none of the labels.
 */
export function drawLabels(
  labels: readonly string[],
  { width, height }: { width: number; height: number },
): SVGSVGElement | undefined {
  const language: Language = /^de\b/i.test(navigator.language) ? 'de' : 'en';
  const texts = labels.map(label => TEXTS[label]).filter(text => text !== undefined);
  if (texts.length === 0) return undefined;
  const unit = Math.min(width, height);
  const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  drawing.setAttribute('class', 'labels');
  drawing.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const line = document.createElementNS(drawing.namespaceURI, 'text') as SVGTextElement;
  line.setAttribute('x', String(MARGIN * unit));
  line.setAttribute('y', String(height - MARGIN * unit));
  line.setAttribute('font-size', String(LETTERS * unit));
  line.setAttribute('stroke-width', String(OUTLINE * unit));
  line.textContent = texts.map(text => text[language]).join(' · ');
  drawing.append(line);
  return drawing;
}
