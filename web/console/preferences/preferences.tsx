/** The choices that are the person's own: theme and language. */
import { useSyncExternalStore, type ReactElement } from 'react';
import { chooseLanguage, LANGUAGES, t, type Language } from '../text/text.ts';
import { Icon } from '../ui/icon.tsx';
import { useLanguage } from './language.ts';
import { chooseTheme, currentTheme } from './theme.ts';

export function Preferences(): ReactElement {
  const theme = useSyncExternalStore(onTheme, currentTheme);
  const { language, setLanguage } = useLanguage();
  const other = theme === 'dark' ? 'light' : 'dark';
  const change = async (chosen: Language) => {
    await chooseLanguage(chosen);
    setLanguage(chosen);
  };
  return (
    <div className="preferences">
      <button
        type="button"
        className="icon-button"
        aria-label={t(`theme.${other}`)}
        title={t(`theme.${other}`)}
        onClick={() => chooseTheme(other)}
      >
        <Icon name={other === 'dark' ? 'moon' : 'sun'} />
      </button>
      <select
        className="quiet-select"
        aria-label={t('language.label')}
        value={language}
        onChange={event => void change(event.target.value as Language)}
      >
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

function onTheme(listener: () => void): () => void {
  addEventListener('themechange', listener);
  return () => removeEventListener('themechange', listener);
}
