/** Light or dark: what the person chose, else what the device prefers. `tokens.css` has the colours of both. */
const STORED = 'marquee-theme';

export type Theme = 'light' | 'dark';

/** The theme that is shown now. */
export function currentTheme(): Theme {
  const chosen = localStorage.getItem(STORED);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Shows the current theme, and another one as soon as it is chosen here or by the device. */
export function followTheme(): void {
  applyTheme();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
}

function applyTheme(): void {
  document.documentElement.dataset['theme'] = currentTheme();
  dispatchEvent(new Event('themechange'));
}

/** Keeps the choice for the next visit, and shows it. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  applyTheme();
}
