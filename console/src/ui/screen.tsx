import { Alert, Button, Group, Loader, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconLock, IconPlugConnectedX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import {
  type AnyVariables,
  type CombinedError,
  type OperationContext,
  type TypedDocumentNode,
  useQuery,
} from 'urql';
import { failureCode } from '../client';
import { useTranslator } from '../i18n';
import { useMayOnlyRead } from '../liveUpdates';
import { isAtFields, problemText } from '../problemText';
import { hasUnsaved } from '../unsavedChanges';
import { RequestButton } from './requestButton';
import { useIsRetried } from './screenBoundary';
import type { ScreenRequest } from './screenRequest';

/** The response of a screen's one request. */
export interface ScreenResult<Data> {
  readonly data: Data | undefined;
  readonly error: CombinedError | undefined;
  readonly fetching: boolean;
  readonly retry: () => void;
  readonly request: ScreenRequest;
  /** The variables of the data, which are older while other data loads. */
  readonly shown: object | undefined;
  /** True if the data is of something that was deleted since, while it has unsaved changes. */
  readonly isDeleted?: boolean;
}

/**
 * Runs the operation of a screen: cached data is shown at once, until the network responds. A
 * response without data, for example after the session ended, replaces nothing, so inputs keep
 * their text. The context must be a constant.
 */
export function useScreen<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  context?: Partial<OperationContext>,
): ScreenResult<Data> {
  const requestPolicy = useIsRetried() ? 'network-only' : 'cache-and-network';
  const [{ data, error, fetching, stale, operation }, execute] = useQuery<Data, Variables>({
    query,
    variables,
    requestPolicy,
    context,
  } as never);
  const last = useLastData(JSON.stringify(variables), fetching ? undefined : data);
  return {
    data: data ?? last,
    error,
    fetching: fetching || stale,
    retry: () => execute({ requestPolicy: 'network-only' }),
    request: { query, variables },
    shown: operation?.variables ?? variables ?? undefined,
  };
}

/** Returns the last data of the same variables. */
function useLastData<Data>(key: string, data: Data | undefined): Data | undefined {
  const [last, setLast] = useState({ key, data });
  if (data && (last.key !== key || last.data !== data)) {
    setLast({ key, data });
  }
  return last.key === key ? last.data : undefined;
}

/**
 * Returns what a screen is about, and its result, which has no data without it. What was deleted
 * meanwhile stays while the page has unsaved changes to it.
 */
export function useSubject<Data, Subject extends object>(
  result: ScreenResult<Data>,
  find: (data: Data) => Subject | null | undefined,
): readonly [Subject | undefined, ScreenResult<Data>] {
  const { data } = result;
  const subject = data && find(data);
  const [last, setLast] = useState(data);
  if (subject && last !== data) {
    setLast(data);
  }
  const kept = data && !subject && last && hasUnsaved() ? find(last) : null;
  return kept
    ? [kept, { ...result, data: last, isDeleted: true }]
    : [subject ?? undefined, { ...result, data: subject ? data : undefined }];
}

interface ScreenProps<Data> {
  readonly title: ReactNode;
  /** The text of the browser's tab, if the title is none. */
  readonly name?: string | undefined;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly result: ScreenResult<Data>;
  /** The fields of the request whose refusal the content shows itself. */
  readonly shownProblems?: readonly string[];
  readonly children: (data: Data) => ReactNode;
}

/** The head of a screen, and its content or the state that there is instead. */
export function Screen<Data>({
  title,
  name,
  lead,
  actions,
  result,
  shownProblems = [],
  children,
}: ScreenProps<Data>) {
  const tab = name ?? (typeof title === 'string' ? title : 'Rostrum');
  useEffect(() => {
    document.title = `${tab} · Rostrum`;
  }, [tab]);
  return (
    <Stack gap="lg" aria-busy={result.fetching}>
      <Group justify="space-between" align="flex-start" gap="sm" wrap="wrap">
        <div style={{ minInlineSize: 0, flex: '1 1 16rem' }}>
          <Title order={1} size="h2" dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {lead && (
            <Text c="dimmed" mt={4} component="div">
              {lead}
            </Text>
          )}
        </div>
        <Group gap="xs">
          {result.fetching && result.data && <Loader size="xs" />}
          {actions}
          <RequestButton request={result.request} />
        </Group>
      </Group>
      <ScreenBody result={result} shownProblems={shownProblems}>
        {children}
      </ScreenBody>
    </Stack>
  );
}

function ScreenBody<Data>({
  result,
  shownProblems,
  children,
}: Required<Pick<ScreenProps<Data>, 'result' | 'shownProblems' | 'children'>>) {
  const { t } = useTranslator();
  const mayOnlyRead = useMayOnlyRead();
  const { data, error, fetching, retry } = result;
  const usable =
    data && Object.entries(data).some(([name, value]) => value !== null && name !== '__typename');
  if (data && usable) {
    return (
      <>
        {mayOnlyRead && <ReadOnly />}
        {result.isDeleted && <Deleted />}
        {error && !isAtFields(error, shownProblems) && <Failure error={error} retry={retry} />}
        {children(data)}
      </>
    );
  }
  if (error) {
    return <Failure error={error} retry={retry} />;
  }
  if (fetching) {
    return <LoadingState />;
  }
  return <EmptyState title={t('state.gone')} />;
}

/** Says that what the screen shows was deleted, and that unsaved text is kept. */
function Deleted() {
  const { t } = useTranslator();
  return (
    <Alert color="orange" role="alert" title={t('unsaved.deleted')}>
      <Text size="sm">{t('unsaved.deletedHint')}</Text>
    </Alert>
  );
}

/** A note with the reason why the actions that change something are disabled or left out. */
function ReadOnly() {
  const { t } = useTranslator();
  return (
    <Group role="note" gap="xs" wrap="nowrap" c="dimmed">
      <IconLock size={18} aria-hidden style={{ flexShrink: 0 }} />
      <Text size="sm">{t('guard.readOnly')}</Text>
    </Group>
  );
}

export function LoadingState() {
  const { t } = useTranslator();
  return (
    <Stack gap="md" role="status" aria-label={t('state.loading')}>
      <Skeleton height={88} radius="md" />
      <Skeleton height={220} radius="md" />
      <Skeleton height={140} radius="md" />
    </Stack>
  );
}

/** The state of a failed request: no permission, no connection, or the gateway's sentence. */
export function Failure({ error, retry }: { error: CombinedError; retry?: () => void }) {
  const { t } = useTranslator();
  const code = failureCode({ error });
  const [Icon, title] =
    code === 'insufficient_scope'
      ? ([IconLock, t('state.denied')] as const)
      : code === 'network'
        ? ([IconPlugConnectedX, t('state.offline')] as const)
        : ([IconAlertTriangle, t('state.failed')] as const);
  return (
    <Alert
      color={code === 'insufficient_scope' ? 'gray' : 'red'}
      icon={<Icon aria-hidden />}
      title={title}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{problemText(error, t)}</Text>
        {retry && code !== 'insufficient_scope' && (
          <Button size="xs" variant="light" onClick={retry}>
            {t('action.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** The state of a list without rows: the reason, and the way to the first row. */
export function EmptyState({
  title,
  hint,
  action,
}: {
  title: string;
  hint?: string;
  action?: ReactNode;
}) {
  return (
    <Stack align="center" gap={6} px="md" py="xl" ta="center">
      <Text fw={600}>{title}</Text>
      {hint && (
        <Text size="sm" c="dimmed" maw={420}>
          {hint}
        </Text>
      )}
      {action}
    </Stack>
  );
}
