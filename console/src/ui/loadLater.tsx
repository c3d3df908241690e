import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { isReplaced, reloadIfSafe } from '../buildReload';
import { completeMessages, useTranslator } from '../i18n';
import { currentSession } from '../session';

/** A module with a component as its default export. */
export interface CodeModule<Props = object> {
  readonly default: ComponentType<Props>;
}

/** Why code is missing: the gateway does not respond, or a deployment has renamed the files. */
type LoadFailure = 'failed' | 'replaced';

interface LoadOptions<Props> {
  /** Is shown until the code is there. */
  readonly waiting?: ComponentType<Props>;
  /**
   * Whether a failure is shown in a corner of the window, where the component has no space for it.
   */
  readonly isFloating?: boolean;
  /** Whether it is of the first screen, whose messages are there. */
  readonly isFirst?: boolean;
}

/**
 * Returns a component that loads its code when it is first rendered. React's lazy keeps a failure;
 * this loads again on request, when the browser is online again, and when it is mounted again.
 */
export function loadLater<Props extends object>(
  load: () => Promise<CodeModule<Props>>,
  { waiting: Waiting, isFloating, isFirst }: LoadOptions<Props> = {},
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | null = null;
  const loadCode = async (): Promise<LoadFailure | null> => {
    try {
      const [code] = await Promise.all([load(), isFirst || completeMessages()]);
      Loaded = code.default;
      return null;
    } catch {
      return (await isReplaced()) ? 'replaced' : 'failed';
    }
  };
  return function LoadedLater(props: Props): ReactNode {
    const { failure, retry } = useCode(Loaded !== null, loadCode);
    if (Loaded) {
      return <Loaded {...props} />;
    }
    return (
      <>
        {Waiting && (!failure || isFloating) && <Waiting {...props} />}
        {failure && (
          <div className={isFloating ? 'corner' : undefined} aria-busy={false}>
            <LoadProblem failure={failure} retry={retry} />
          </div>
        )}
      </>
    );
  };
}

/**
 * Loads missing code. It reloads the page if a deployment renamed the files and nothing would be
 * lost.
 */
function useCode(isLoaded: boolean, loadCode: () => Promise<LoadFailure | null>) {
  const [attempt, setAttempt] = useState({ failure: null as LoadFailure | null, count: 0 });
  const retry = () => setAttempt(({ count }) => ({ failure: null, count: count + 1 }));
  useEffect(() => {
    let isMounted = true;
    if (!isLoaded) {
      void loadCode().then((failure) => {
        if (isMounted && !(failure === 'replaced' && reloadIfSafe())) {
          setAttempt(({ count }) => ({ failure, count }));
        }
      });
    }
    return () => {
      isMounted = false;
    };
  }, [isLoaded, attempt.count, loadCode]);
  useEffect(() => {
    if (attempt.failure !== 'failed') {
      return undefined;
    }
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [attempt.failure]);
  return { failure: attempt.failure, retry };
}

function LoadProblem({ failure, retry }: { failure: LoadFailure; retry: () => void }) {
  const { t } = useTranslator();
  const isRenamed = failure === 'replaced';
  const hint = !isRenamed
    ? t('load.failedHint')
    : currentSession().key
      ? t('load.replacedKey')
      : t('load.replacedHint');
  return (
    <Alert
      color={isRenamed ? 'orange' : 'red'}
      icon={<IconAlertTriangle aria-hidden />}
      title={isRenamed ? t('load.replaced') : t('load.failed')}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{hint}</Text>
        <Button
          size="xs"
          variant="light"
          onClick={isRenamed ? () => window.location.reload() : retry}
        >
          {isRenamed ? t('action.reload') : t('action.retry')}
        </Button>
      </Stack>
    </Alert>
  );
}
