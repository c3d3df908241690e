import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { Provider } from 'urql';
import { Router } from 'wouter';
import { createGraphClient } from './client';
import { Frame } from './frame';
import { type Language, type Translator, TranslatorContext, loadTranslator, rememberLanguage } from './i18n';
import { AccessContext } from './access';
import { LanguageContext } from './language';
import { useSession } from './session';
import { theme } from './theme';
import { loadLater } from './ui/load';
import { NoticeProvider } from './ui/notice';

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
            <Router base={base}>
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

/** Has a client for each session, and shows the sign-in once a response refuses the credentials. */
function SessionView() {
  const session = useSession();
  const [refused, setRefused] = useState<{ generation: number; code: string } | null>(null);
  const access = useMemo(() => ({ refuse: (code: string) => setRefused({ generation: session.generation, code }) }), [session]);
  const { client, close } = useMemo(() => createGraphClient(session, access), [session, access]);
  useEffect(() => close, [close]);
  if (refused?.generation === session.generation) {
    return <SignIn code={refused.code} />;
  }
  return (
    <Provider value={client} key={session.generation}>
      <AccessContext value={access}>
        <NoticeProvider>
          <Frame />
        </NoticeProvider>
      </AccessContext>
    </Provider>
  );
}
