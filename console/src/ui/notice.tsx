import { Button, Group, Notification } from '@mantine/core';
import { type ReactNode, createContext, useCallback, useContext, useEffect, useState } from 'react';
import { useTranslator } from '../i18n';

/** What a person can do about a sentence, for example undo what it tells. */
interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
}

type Notify = (text: string, failed?: boolean, action?: NoticeAction) => void;

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly failed: boolean;
  readonly action: NoticeAction | undefined;
}

const NoticeContext = createContext<Notify>(() => undefined);

/**
 * Returns a function that shows a sentence in the corner for some seconds. Screen readers read it.
 */
export function useNotice(): Notify {
  return useContext(NoticeContext);
}

const shownFor = 8000;

export function NoticeProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslator();
  const [notice, setNotice] = useState<Notice | null>(null);
  const show = useCallback<Notify>(
    (text, failed = false, action) =>
      setNotice((last) => ({ id: (last?.id ?? 0) + 1, text, failed, action })),
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
            <Group gap="xs">
              {notice.text}
              {notice.action && (
                <Button
                  size="compact-xs"
                  variant="light"
                  onClick={() => {
                    notice.action?.run();
                    setNotice(null);
                  }}
                >
                  {notice.action.label}
                </Button>
              )}
            </Group>
          </Notification>
        )}
      </div>
    </NoticeContext>
  );
}
