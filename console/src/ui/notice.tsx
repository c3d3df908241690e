import { Notification } from '@mantine/core';
import { type ReactNode, createContext, useCallback, useContext, useEffect, useState } from 'react';
import { useTranslator } from '../i18n';

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly failed: boolean;
}

const NoticeContext = createContext<(text: string, failed?: boolean) => void>(() => undefined);

/**
 * Returns a function that shows a sentence in the corner for some seconds. Screen readers read it.
 */
export function useNotice(): (text: string, failed?: boolean) => void {
  return useContext(NoticeContext);
}

const shownFor = 8000;

export function NoticeProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslator();
  const [notice, setNotice] = useState<Notice | null>(null);
  const show = useCallback(
    (text: string, failed = false) =>
      setNotice((last) => ({ id: (last?.id ?? 0) + 1, text, failed })),
    [],
  );
  useEffect(() => {
    if (!notice) {
      return undefined;
    }
    const timer = setTimeout(() => setNotice(null), shownFor);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <NoticeContext value={show}>
      {children}
      <div role="status" aria-live="polite" className="corner">
        {notice && (
          <Notification
            color={notice.failed ? 'red' : 'harbor'}
            onClose={() => setNotice(null)}
            closeButtonProps={{ 'aria-label': t('action.close') }}
            withBorder
          >
            {notice.text}
          </Notification>
        )}
      </div>
    </NoticeContext>
  );
}
