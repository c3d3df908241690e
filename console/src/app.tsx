import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Provider } from 'urql';
import { Router } from 'wouter';
import { Frame } from './frame';
import { type Language, type Translator, TranslatorContext, loadTranslator, rememberLanguage } from './i18n';
import { AccessContext } from './access';
import { LanguageContext } from './language';
import { usePage } from './owner';
import { theme } from './theme';
import { loadLater } from './ui/load';
import { NoticeProvider } from './ui/notice';
import { guardNavigation, hasUnsaved } from './unsaved';

const SignIn = loadLater(() => import('./signin'));

const base = '/console';

/** The console: language, theme, the client of the session, and the frame or the sign-in. */
export function App({ initial }: { initial: Translator }) {
  const [translator, setTranslator] = useState(initial);
  const changeLanguage = async (language: Language) => {
    setTranslator(await loadTranslator(language));
    rememberLanguage(language);
  };
  return (
    <DirectionProvider initialDirection={initial.direction} detectDirection={false}>
      <DocumentLanguage translator={translator} />
      <MantineProvider theme={theme} defaultColorScheme="auto">
        <TranslatorContext value={translator}>
          <LanguageContext value={changeLanguage}>
            <Router base={base} aroundNav={guardNavigation}>
              <SessionView />
            </Router>
          </LanguageContext>
        </TranslatorContext>
      </MantineProvider>
    </DirectionProvider>
  );
}

/** Sets the language and the direction of the page. */
function DocumentLanguage({ translator: { language, direction } }: { translator: Translator }) {
  const { setDirection } = useDirection();
  useEffect(() => {
    document.documentElement.lang = language;
    setDirection(direction);
  }, [language, direction, setDirection]);
  return null;
}

/**
 * Shows the frame, and the sign-in once a response refuses the credentials. The frame stays mounted and hidden meanwhile, so that unsaved text is there
 * again after the same person has signed in to the same workspace. Any other session has a frame of its own.
 */
function SessionView() {
  const { client, page, refusal, access } = usePage();
  return (
    <>
      {refusal && <SignIn key={refusal.generation} code={refusal.code} isKept={refusal.owner !== null && hasUnsaved()} />}
      <div className="frame" hidden={refusal !== null} inert={refusal !== null}>
        <Provider value={client} key={page}>
          <AccessContext value={access}>
            <NoticeProvider>
              <Frame isLive={refusal === null} />
            </NoticeProvider>
          </AccessContext>
        </Provider>
      </div>
    </>
  );
}
