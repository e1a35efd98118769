/** The entry of the console: puts the page together once its language is known. */
import '../inter.css';
import './styles/tokens.css';
import './styles/elements.css';
import './styles/frame.css';
import './styles/buttons.css';
import './styles/choices.css';
import './styles/parts.css';
import './styles/charts.css';
import './styles/pages.css';
import './styles/maps.css';
import './styles/home.css';
import './styles/creatives.css';
import './styles/playlists.css';
import { createRoot } from 'react-dom/client';
import { Console } from './app/console.tsx';
import { followTheme } from './preferences/theme.ts';
import { loadLanguage, preferredLanguage } from './text/text.ts';

declare global {
  /** The nonce that libraries give to the style sheets which they add (https://www.npmjs.com/package/get-nonce). */
  var __webpack_nonce__: string | undefined;
}

globalThis.__webpack_nonce__ =
  document.querySelector<HTMLMetaElement>('meta[name="marquee-nonce"]')?.content ?? undefined;
followTheme();
await loadLanguage(preferredLanguage());
createRoot(document.getElementById('console')!).render(<Console />);
