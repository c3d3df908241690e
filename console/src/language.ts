import { createContext, useContext } from 'react';
import type { Language } from './i18n';

/** Changes the console's language. */
export const LanguageContext = createContext<(language: Language) => void>(() => undefined);

export function useChangeLanguage(): (language: Language) => void {
  return useContext(LanguageContext);
}
