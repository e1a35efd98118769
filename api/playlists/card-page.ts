/**
 * The page of a sponsorship card: text only, in letters that scale with the screen. The template engine escapes every
 * text.
 */
import { createHash } from 'node:crypto';
import mustache from 'mustache';
import type { SponsorshipCard } from '#domain/screens/playlist.ts';

const STYLE = `*{box-sizing:border-box;margin:0;padding:0}
html,body{height:100%;overflow:hidden}
body{display:flex;flex-direction:column;justify-content:center;align-items:center;gap:3vmin;padding:8vmin;text-align:center;overflow-wrap:anywhere;
background:radial-gradient(120% 120% at 50% 0,#33415a 0,#1d2534 60%,#151b26 100%);color:#f5f1e8;font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','DejaVu Sans',Arial,sans-serif}
h1{font-size:11vmin;line-height:1.1;font-weight:700}
body.long h1{font-size:7vmin}
p{font-size:4.5vmin;line-height:1.35;opacity:.85;max-width:80vw}`;
/** A longer name is set in smaller letters, so that it stays on the screen. */
const NAME_LENGTH_LARGE = 28;

const PAGE = `<!DOCTYPE html>
<html lang="und">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{{sponsor}}</title>
<style>{{{style}}}</style></head>
<body class="{{size}}"><h1 dir="auto">{{sponsor}}</h1>
{{#message}}<p dir="auto">{{message}}</p>{{/message}}
</body>
</html>
`;

/** The policy of the page: only its own style sheet. */
export const CARD_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; sandbox`;

export function renderCard({ sponsor, message = '' }: SponsorshipCard): string {
  return mustache.render(PAGE, {
    sponsor,
    message,
    style: STYLE,
    size: sponsor.length > NAME_LENGTH_LARGE ? 'long' : 'short',
  }); // the style sheet is ours, and not escaped
}
