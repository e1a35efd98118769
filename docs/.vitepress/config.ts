/**
 * The documentation as a site. `npm run docs` shows it while pages are written; `web/docs-build.ts` builds what the API
 * serves at `/docs`. A page is a Markdown file that also reads well in the repository, so links between pages and to
 * files of the repository are relative, as editors and code hosts follow them.
 */
import { defineConfig } from 'vitepress';
import { allowInlineScripts } from './inline-scripts.ts';
import { unlinkSources } from './source-links.ts';
import { writeTexts } from './texts.ts';

const guides = [
  { text: 'Book a campaign', link: '/guides/campaign' },
  { text: 'Run a venue', link: '/guides/venue' },
  { text: 'Work as an agency', link: '/guides/agency' },
  { text: 'Look after the money', link: '/guides/finance' },
  { text: 'Operate a network', link: '/guides/operator' },
];

export default defineConfig({
  title: 'Marquee',
  description: 'An open, self-hosted ad server for screens in the real world',
  base: '/docs/',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/docs/mark.svg' }]],
  cacheDir: 'node_modules/.cache/vitepress',
  cleanUrls: true,
  metaChunk: true, // one inline script less, which the content security policy would have to name
  rewrites: { 'decisions/README.md': 'decisions/index.md' },
  markdown: { config: unlinkSources },
  async buildEnd(site) {
    await Promise.all([writeTexts(site), allowInlineScripts(site)]);
  },
  themeConfig: {
    logo: '/mark.svg',
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Get started', link: '/start' },
      { text: 'Guides', items: guides },
      { text: 'API', link: '/api/' },
      { text: 'Reference', link: '/reference/', target: '_self' }, // a page of the API itself, not of this site
      { text: 'Screens', link: '/screen-protocol' },
      { text: 'Operate', link: '/operate/first-network' },
    ],
    sidebar: [
      {
        text: 'Start',
        items: [
          { text: 'Get started', link: '/start' },
          { text: 'Concepts', link: '/concepts' },
          { text: 'The console', link: '/console' },
          { text: 'Alerts by mail', link: '/alerts' },
        ],
      },
      { text: 'Guides', items: guides },
      {
        text: 'API',
        items: [
          { text: 'Guide', link: '/api/' },
          { text: 'Keys and permissions', link: '/api/keys' },
          { text: 'Roles', link: '/roles' },
          { text: 'Money and time', link: '/api/money' },
          { text: 'Lists and pages', link: '/api/lists' },
          { text: 'Safe retries', link: '/api/retries' },
          { text: 'Errors', link: '/errors' },
          { text: 'Limits', link: '/api/limits' },
          { text: 'Webhooks', link: '/api/webhooks' },
          { text: 'SDK for TypeScript', link: '/api/sdk-typescript' },
          { text: 'SDK for Python', link: '/api/sdk-python' },
          { text: 'What was decided', link: '/api/decided' },
          { text: 'Sandbox', link: '/sandbox' },
          { text: 'Reference', link: '/reference/', target: '_self' },
        ],
      },
      {
        text: 'Screens',
        items: [
          { text: 'Screen protocol', link: '/screen-protocol' },
          { text: 'The player in a browser', link: '/player' },
          { text: 'Check a player', link: '/player-check' },
          { text: 'Creatives', link: '/creatives' },
        ],
      },
      {
        text: 'Data',
        items: [
          { text: "The analyst's guide", link: '/analysts' },
          { text: 'Why a slot was decided so', link: '/explain' },
          { text: 'Which plays count', link: '/invalid-traffic' },
          { text: 'Audit log', link: '/audit' },
        ],
      },
      {
        text: 'Money and people',
        items: [
          { text: 'What a venue says of itself', link: '/venues' },
          { text: 'Payments', link: '/payments' },
          { text: 'Payouts', link: '/payouts' },
          { text: 'Check an invoice', link: '/invoice-proofs' },
        ],
      },
      {
        text: 'Operate',
        items: [
          { text: 'Your first network', link: '/operate/first-network' },
          { text: 'Deploy', link: '/operate/deploy' },
          { text: "The operator's tool", link: '/operate/admin' },
          { text: 'Commands', link: '/commands' },
          { text: 'Runbook', link: '/operate/runbook' },
          { text: 'Backup', link: '/operate/backup' },
          { text: 'Upgrade', link: '/operate/upgrade' },
          { text: 'Variables and connections', link: '/operate/variables' },
          { text: 'Engines', link: '/operate/engines' },
          { text: 'Redis', link: '/operate/redis' },
          { text: 'ClickHouse', link: '/operate/clickhouse' },
          { text: 'What is kept', link: '/operate/durability' },
          { text: 'Privacy', link: '/operate/privacy' },
          { text: 'Proxies and TLS', link: '/operate/proxies' },
          { text: 'Kubernetes', link: '/operate/kubernetes' },
          { text: 'Capacity', link: '/operate/capacity' },
          { text: 'Load it yourself', link: '/operate/load' },
          { text: 'Audiences with a source', link: '/operate/audiences' },
          { text: 'Places and rules', link: '/operate/places-and-rules' },
          { text: 'Security: outsiders', link: '/operate/security' },
          { text: 'Security: customers', link: '/operate/security-customers' },
        ],
      },
      {
        text: 'How it works',
        items: [
          { text: 'What Marquee promises', link: '/promises' },
          { text: 'Architecture', link: '/architecture' },
          { text: 'Counting and budgets', link: '/counting' },
          { text: 'Performance', link: '/performance' },
          { text: 'Decisions', link: '/decisions/' },
        ],
      },
    ],
  },
});
