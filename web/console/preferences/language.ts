/** The language of the page: components with texts are redrawn when it changes. */
import { createContext, useContext } from 'react';
import type { Language } from '../text/text.ts';

export type LanguageChoice = { language: Language; setLanguage: (language: Language) => void };
export const LanguageContext = createContext<LanguageChoice>({ language: 'en', setLanguage: () => undefined });

export function useLanguage(): LanguageChoice {
  return useContext(LanguageContext);
}
