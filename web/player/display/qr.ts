/** Draws the QR codes that ads and the pairing page show. */
import { encode } from 'uqr';

/** Modules of quiet around a code; scanners need four, and the white card around it adds the rest. */
const BORDER = 2;

/** A QR code as one SVG path, black on what is behind it. */
export function drawQr(text: string): SVGSVGElement {
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
