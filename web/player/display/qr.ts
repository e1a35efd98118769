/** Draws the QR codes that ads and the pairing page show. */
import { encode } from 'uqr';

/** Modules of quiet around a code; scanners need four, and the white card around it adds the rest. */
const BORDER = 2;

/** As a share of the shorter side of the picture. */
const CARD = 0.24;
const MARGIN = 0.034;
const PADDING = 0.012;
const CORNER = 0.018;

/**
 * A QR code on a white card in the corner of a picture. The drawing has the size of the picture and is fitted into the
 * window as `object-fit: contain` fits the picture, so the code stays on the picture in a window of any shape.
 */
export function drawScanCode(text: string, { width, height }: { width: number; height: number }): SVGSVGElement {
  const unit = Math.min(width, height);
  const [right, bottom] = [width - MARGIN * unit, height - MARGIN * unit];
  const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  drawing.setAttribute('class', 'scan');
  drawing.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const card = document.createElementNS(drawing.namespaceURI, 'rect') as SVGRectElement;
  place(card, { x: right - CARD * unit, y: bottom - CARD * unit, size: CARD * unit });
  card.setAttribute('rx', String(CORNER * unit));
  const code = drawQr(text);
  const size = (CARD - 2 * PADDING) * unit;
  place(code, { x: right - PADDING * unit - size, y: bottom - PADDING * unit - size, size });
  drawing.append(card, code);
  return drawing;
}

function place(element: SVGElement, { x, y, size }: { x: number; y: number; size: number }): void {
  for (const [name, value] of Object.entries({ x, y, width: size, height: size }))
    element.setAttribute(name, String(value));
}

/** A QR code as one SVG path, black on the background. */
function drawQr(text: string): SVGSVGElement {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  svg.setAttribute('shape-rendering', 'crispEdges');
  const path = document.createElementNS(svg.namespaceURI, 'path');
  path.setAttribute(
    'd',
    data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join(''),
  );
  svg.append(path);
  return svg;
}
