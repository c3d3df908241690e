import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core';
import { type ComponentType, useEffect, useState } from 'react';
import { Provider } from 'urql';
import { Router, useLocation } from 'wouter';
import { AccessContext } from './access';
import { Frame } from './frame';
import { type Translator, TranslatorContext, loadTranslator, rememberLanguage } from './i18n';
import { LanguageContext } from './languageContext';
import { useOfferedSignIn } from './keyOffer';
import { usePageSession } from './pageSession';
import { theme } from './theme';
import { loadLater } from './ui/loadLater';
import { NoticeProvider } from './ui/notice';
import { guardNavigation, hasUnsaved } from './unsavedChanges';

const SignIn = loadLater(() => import('./signIn'));

const entries: Readonly<Record<string, ComponentType>> = {
  '/invite': loadLater(() => import('./entry/invite')),
  '/reset': loadLater(() => import('./entry/reset')),
  '/setup': loadLater(() => import('./entry/setup')),
};

const base = '/console';

/** How often relative times such as "5 minutes ago" are drawn again, in milliseconds. */
const tick = 15_000;

/** The console: language, theme, the client of the session, and the frame or the sign-in. */
export function App({ initial }: { initial: Translator }) {
  const [translator, setTranslator] = useState(initial);
  useEffect(() => {
    // A new object draws everything with a relative time again.
    const timer = setInterval(() => setTranslator((before) => ({ ...before })), tick);
    return () => clearInterval(timer);
  }, []);
  const changeLanguage = async (language: string) => {
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
              <Pages />
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

/** The page of somebody who has no session yet, by the path, or else the console. */
function Pages() {
  const [path] = useLocation();
  const Entry = entries[path];
  return Entry ? <Entry /> : <SessionView />;
}

/**
 * Shows the frame, and the sign-in after a response refuses the credentials. The hidden frame stays
 * mounted, so unsaved text is back after the same person signs in to the same workspace. Any other
 * session gets a new frame.
 */
function SessionView() {
  const { client, page, refusal, access } = usePageSession();
  useOfferedSignIn(refusal !== null);
  return (
    <>
      {refusal && (
        <SignIn
          key={refusal.generation}
          code={refusal.code}
          hasUnsavedText={refusal.owner !== null && hasUnsaved()}
        />
      )}
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
