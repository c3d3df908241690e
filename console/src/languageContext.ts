import { createContext, useContext } from 'react';

/** Changes the console's language. The promise is rejected if its messages cannot be loaded. */
type ChangeLanguage = (language: string) => Promise<void>;

export const LanguageContext = createContext<ChangeLanguage>(() => Promise.resolve());

export function useChangeLanguage(): ChangeLanguage {
  return useContext(LanguageContext);
}
