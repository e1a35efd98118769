/** The Marquee word mark, drawn as SVG for the card and the pairing pages. */

const SVG = 'http://www.w3.org/2000/svg';

/** The Marquee word mark: a sign with bulbs around its face, and the name. */
export function wordMark(): HTMLElement {
  const mark = document.createElement('div');
  mark.className = 'word-mark';
  const sign = document.createElementNS(SVG, 'svg');
  sign.setAttribute('viewBox', '0 0 64 44');
  sign.append(
    shape('rect', { class: 'sign', x: '0', y: '0', width: '64', height: '44', rx: '11' }),
    shape('rect', { class: 'face', x: '8.5', y: '8.5', width: '47', height: '27', rx: '4.5' }),
    shape('rect', { class: 'bulbs', x: '4.3', y: '4.3', width: '55.4', height: '35.4', rx: '7' }),
    shape('path', { class: 'play', d: 'M27 14.5v15l13-7.5z' }),
  );
  const name = document.createElement('span');
  name.textContent = 'Marquee';
  mark.append(sign, name);
  return mark;
}

function shape(tag: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
