import {
  Alert,
  Group,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type CombinedError, useMutation } from 'urql';
import {
  ReadSourceDocument,
  StartBackloadDocument,
  type StartBackloadMutation,
} from '../../graph/sources/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { type Incoming, IncomingFields } from '../../ui/incomingFields';
import { RefusalAlert } from '../../ui/refusalAlert';
import { ScreenLink } from '../../ui/screenLink';

const kinds = ['feed', 'list', 'one'] as const;
type Kind = (typeof kinds)[number];

interface Values extends Incoming {
  readonly kind: Kind;
  readonly address: string;
  readonly addresses: string;
  /** A day such as 2026-03-01, or empty. */
  readonly since: string;
}

const empty: Values = {
  kind: 'feed',
  address: '',
  addresses: '',
  since: '',
  visibility: '',
  provenance: '',
};

const commonOf = ({ visibility, provenance }: Values) => ({
  visibility: visibility || undefined,
  mediaProvenance: provenance || null,
});

/** Returns the input of a backload; the day begins in the time zone of the browser. */
const backloadOf = (values: Values) => ({
  ...commonOf(values),
  ...(values.kind === 'feed'
    ? {
        feedUrl: values.address.trim(),
        since: values.since ? new Date(`${values.since}T00:00`).toISOString() : null,
      }
    : { sourceUrls: values.addresses.split(/\s+/).filter(Boolean) }),
});

const fields = ['feedUrl', 'sourceUrls', 'url', 'since'] as const;

interface FormProps {
  readonly mayWrite: boolean | undefined;
  /** Shows a job below. */
  readonly open: (jobId: string) => void;
}

/** Asks what is to be read; a feed, a sitemap or a list may be tried before. */
export function SourceForm({ mayWrite, open }: FormProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [values, setValues] = useState(empty);
  const [{ fetching, error }, start] = useMutation(StartBackloadDocument);
  const [rejected, setRejected] = useState<Rejected>([]);
  const one = useOneSource();
  const change = (changed: Partial<Values>) => setValues((before) => ({ ...before, ...changed }));
  const run = async (dryRun: boolean) => {
    const { data } = await start({ input: { ...backloadOf(values), dryRun } });
    const started = data?.startBackload;
    setRejected(started?.rejected ?? []);
    if (started?.job) {
      notify(t(dryRun ? 'sources.previewStarted' : 'sources.started'));
      open(started.job.id);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void (values.kind === 'one'
      ? one.read({ url: values.address.trim(), ...commonOf(values) })
      : run(true));
  };
  const refusal = values.kind === 'one' ? one.error : error;
  return (
    <form onSubmit={submit} className="panel card" noValidate>
      <Stack gap="sm">
        <Title order={2} size="h5">
          {t('sources.once')}
        </Title>
        <SegmentedControl
          aria-label={t('sources.kind')}
          value={values.kind}
          onChange={(kind) => change({ kind })}
          data={kinds.map((value) => ({ value, label: t(`sources.kind.${value}`) }))}
        />
        <SourceFields values={values} change={change} error={refusal} isReadOnly={!mayWrite} />
        <Group>
          <GuardedButton
            allowed={mayWrite}
            type="submit"
            loading={fetching || one.fetching}
            variant={values.kind === 'one' ? 'filled' : 'light'}
          >
            {t(values.kind === 'one' ? 'sources.read' : 'sources.preview')}
          </GuardedButton>
          {values.kind !== 'one' && (
            <GuardedButton
              allowed={mayWrite}
              type="button"
              loading={fetching}
              onClick={() => void run(false)}
            >
              {t('sources.readAll')}
            </GuardedButton>
          )}
        </Group>
        <RefusalAlert error={refusal} fields={fields} />
        {values.kind === 'one' ? one.outcome : <RejectedList rejected={rejected} />}
      </Stack>
    </form>
  );
}

interface FieldsProps {
  readonly values: Values;
  readonly change: (values: Partial<Values>) => void;
  readonly error: CombinedError | undefined;
  readonly isReadOnly: boolean;
}

function SourceFields({ values, change, error, isReadOnly }: FieldsProps) {
  const { t } = useTranslator();
  const { kind } = values;
  return (
    <>
      {kind === 'list' ? (
        <Textarea
          label={t('documents.addresses')}
          description={t('sources.listHint')}
          autosize
          minRows={3}
          maxRows={12}
          value={values.addresses}
          readOnly={isReadOnly}
          onChange={(event) => change({ addresses: event.currentTarget.value })}
          error={fieldProblem(error, 'sourceUrls')}
        />
      ) : (
        <TextInput
          type="url"
          label={t(`sources.address.${kind}`)}
          description={t(`sources.addressHint.${kind}`)}
          placeholder={
            kind === 'feed' ? 'https://example.com/feed.xml' : 'https://example.com/news'
          }
          value={values.address}
          readOnly={isReadOnly}
          onChange={(event) => change({ address: event.currentTarget.value })}
          error={fieldProblem(error, kind === 'feed' ? 'feedUrl' : 'url')}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {kind === 'feed' && (
          <TextInput
            type="date"
            label={t('sources.since')}
            value={values.since}
            readOnly={isReadOnly}
            onChange={(event) => change({ since: event.currentTarget.value })}
            error={fieldProblem(error, 'since')}
          />
        )}
        <IncomingFields isNew values={values} isReadOnly={isReadOnly} change={change} />
      </SimpleGrid>
    </>
  );
}

type Rejected = NonNullable<StartBackloadMutation['startBackload']>['rejected'];

/** The addresses that are not read, with the reasons. */
export function RejectedList({ rejected }: { rejected: Rejected }) {
  const { t } = useTranslator();
  if (rejected.length === 0) {
    return null;
  }
  return (
    <Alert color="orange" role="alert" title={t('sources.rejected', { count: rejected.length })}>
      {rejected.map(({ sourceUrl, error }, i) => (
        <Text key={i} size="sm" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{sourceUrl}</bdi>: {error}
        </Text>
      ))}
    </Alert>
  );
}

/** Reads one source; the gateway detects its type before it responds. */
function useOneSource() {
  const { t } = useTranslator();
  const [{ fetching, error, data }, read] = useMutation(ReadSourceDocument);
  const made = data?.ingestSource;
  const outcome = made && (
    <Alert color={made.error ? 'red' : 'green'} role="status">
      {made.error ?? (
        <>
          {t(made.duplicate ? 'sources.known' : 'sources.reading')}{' '}
          {made.document && (
            <ScreenLink to={`/documents/${made.document.id}`}>
              {made.document.title || t('document.untitled')}
            </ScreenLink>
          )}
          {made.warning && ` ${made.warning}`}
        </>
      )}
    </Alert>
  );
  return {
    fetching,
    error,
    outcome,
    read: (input: Parameters<typeof read>[0]['input']) => read({ input }),
  };
}
