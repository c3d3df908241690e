import { createContext, useContext } from 'react';
import type { Language } from './i18n';

/** Changes the console's language. The promise is rejected if its messages cannot be loaded. */
type ChangeLanguage = (language: Language) => Promise<void>;

export const LanguageContext = createContext<ChangeLanguage>(() => Promise.resolve());

export function useChangeLanguage(): ChangeLanguage {
  return useContext(LanguageContext);
}
