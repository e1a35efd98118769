/**
 * `/docs/reference`, the page that tries every call: Swagger UI for /v1/openapi.json. Its files are served from the
 * installed package, so that it works without any other host. Its Fastify plugin is not used: it would add routes that
 * do not declare who may call them, and a second address of the document.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Type } from 'typebox';
import type { Api } from '../wire/fastify.ts';
import { sendRefusal } from '../wire/reply.ts';
import { refuseUnknownPath } from '../wire/refusals.ts';

const require = createRequire(import.meta.url);
const FOLDER = join(dirname(require.resolve('@fastify/swagger-ui/package.json')), 'static');
const FONT_FILE = require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
const FONT_STYLE = join(import.meta.dirname, '../../web/inter.css');
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'font.css': 'text/css; charset=utf-8',
  'font.woff2': 'font/woff2',
};

const PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Marquee API</title>
<link rel="stylesheet" href="/docs/reference/swagger-ui.css">
<link rel="stylesheet" href="/docs/reference/font.css">
<link rel="stylesheet" href="/docs/reference/page.css">
<link rel="icon" type="image/svg+xml" href="/docs/mark.svg">
</head>
<body>
<header><a href="/docs/"><img src="/docs/mark.svg" alt="" width="40" height="28">Marquee</a><a href="/docs/">Docs</a><a href="/console">Console</a></header>
<div id="reference"></div>
<script src="/docs/reference/swagger-ui-bundle.js"></script>
<script src="/docs/reference/start.js"></script>
</body>
</html>
`;
const STYLE = `body { margin: 0; background: #faf8f4; }
header { display: flex; gap: 24px; align-items: center; padding: 12px 24px; border-bottom: 1px solid #e6e1d6; font: 15px Inter, sans-serif; }
header a { display: flex; gap: 10px; align-items: center; color: #8a4f00; }
header a:first-child { color: #1f1b13; font-weight: 650; text-decoration: none; }
`;
const START = `SwaggerUIBundle({ url: '/v1/openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null, docExpansion: 'list', defaultModelsExpandDepth: 0, displayRequestDuration: true, filter: true });
`;

// Swagger UI sets styles inline; it talks to this API alone, wherever its public address is.
const policyFor = (publicUrl: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self' ${new URL(publicUrl).origin}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
const KEEP = 'public, max-age=3600'; // the files change with the installed version only

export function referenceRoutes(app: Api, { urls }: { urls: { public: string } }): void {
  const config = { access: 'public' } as const;
  const policy = policyFor(urls.public);
  for (const path of ['/docs/reference', '/docs/reference/']) {
    // links of the page are absolute paths, so it works at both addresses
    app.get(path, { config }, async (_request, reply) =>
      reply
        .headers({ 'content-security-policy': policy, 'cache-control': KEEP })
        .type('text/html; charset=utf-8')
        .send(PAGE),
    );
  }
  app.get(
    '/docs/reference/:file',
    { config, schema: { params: Type.Object({ file: Type.String({ description: 'Name of the file.' }) }) } },
    async (request, reply) => {
      const { file } = request.params;
      if (file === 'start.js')
        return reply.header('cache-control', KEEP).type('text/javascript; charset=utf-8').send(START);
      const type = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
      if (type === undefined) return sendRefusal(reply, refuseUnknownPath(request));
      return reply
        .header('cache-control', KEEP)
        .type(type)
        .send(await readReferenceFile(file));
    },
  );
}

/** Swagger UI names no font of its own: what it leaves to the browser is the font of all pages here. */
async function readReferenceFile(file: string): Promise<Buffer | string> {
  if (file === 'font.woff2') return readFile(FONT_FILE);
  if (file === 'page.css') return STYLE;
  if (file === 'font.css')
    return (await readFile(FONT_STYLE, 'utf8')).replace(/url\([^)]+\)/, "url('/docs/reference/font.woff2')");
  if (file === 'swagger-ui.css')
    return (await readFile(join(FOLDER, file), 'utf8')).replaceAll(
      'font-family:sans-serif',
      'font-family:Inter,sans-serif',
    );
  return readFile(join(FOLDER, file));
}
