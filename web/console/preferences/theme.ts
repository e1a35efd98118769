/** Light or dark: what the person chose, else what the device prefers. `tokens.css` has the colours of both. */
const STORED = 'marquee-theme';

export type Theme = 'light' | 'dark';

/** The theme that is shown now. */
export function currentTheme(): Theme {
  const chosen = localStorage.getItem(STORED);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Shows the current theme. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = currentTheme();
}

/** Keeps the choice for the next visit, and shows it. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  applyTheme();
  dispatchEvent(new Event('themechange'));
}
