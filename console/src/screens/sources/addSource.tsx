import {
  Alert,
  Badge,
  Group,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import {
  CreateSourceDocument,
  type CreateSourceInput,
  PreviewSourceDocument,
  type PreviewSourceMutation,
} from '../../graph/sources/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { GuardedButton } from '../../ui/guardedButton';
import { MailboxFields, mailboxFieldNames, newMailbox } from '../../ui/mailboxFields';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { ScreenLink } from '../../ui/screenLink';
import { inputOfSource, newSource, sourceFieldNames, SourceOptions } from '../../ui/sourceFields';
import { LinkChoice } from './linkChoice';

type Preview = NonNullable<PreviewSourceMutation['previewSource']>;

/** What is added: an address, of a page with the beginning of its links, or a mailbox. */
type Given = Pick<CreateSourceInput, 'url' | 'linkPrefix' | 'mailbox'>;

/** What was looked at, with what was asked for. */
interface Found {
  readonly preview: Preview;
  readonly given: Given;
}

/** Asks for an address or a mailbox, shows what it gives, and adds it as a source. */
export function AddSource({ mayEdit }: { mayEdit: boolean | undefined }) {
  const { t } = useTranslator();
  const [isMailbox, setIsMailbox] = useState(false);
  const [address, setAddress] = useState('');
  const [mailbox, setMailbox] = useState(newMailbox);
  const [{ fetching, error }, look] = useMutation(PreviewSourceDocument);
  const [found, setFound] = useState<Found | null>(null);
  const lookAt = async (given: Given) => {
    const preview = (await look({ input: given })).data?.previewSource;
    if (preview) {
      setFound({ preview, given: given.mailbox ? given : { ...given, url: preview.url } });
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFound(null);
    void lookAt(isMailbox ? { mailbox } : { url: address.trim() });
  };
  const done = () => {
    setFound(null);
    setAddress('');
    setMailbox(newMailbox);
  };
  const choose = (value: string) => {
    setIsMailbox(value === 'mailbox');
    setFound(null);
  };
  return (
    <Panel title={t('source.add')}>
      <Stack p="md" gap="sm">
        <form onSubmit={submit} noValidate>
          <Stack gap="sm">
            <SegmentedControl
              aria-label={t('source.form')}
              value={isMailbox ? 'mailbox' : 'address'}
              onChange={choose}
              data={[
                { value: 'address', label: t('source.ofAddress') },
                { value: 'mailbox', label: t('source.ofMailbox') },
              ]}
            />
            {isMailbox ? (
              <MailboxFields
                values={mailbox}
                change={(changed) => setMailbox((before) => ({ ...before, ...changed }))}
                error={error}
                isReadOnly={!mayEdit}
              />
            ) : (
              <TextInput
                type="url"
                label={t('source.address')}
                description={t('source.addressHint')}
                placeholder="https://example.com/news"
                value={address}
                readOnly={!mayEdit}
                onChange={(event) => setAddress(event.currentTarget.value)}
                error={fieldProblem(error, 'url')}
              />
            )}
            <Group>
              <GuardedButton allowed={mayEdit} type="submit" loading={fetching} variant="light">
                {t(isMailbox ? 'mailbox.look' : 'source.look')}
              </GuardedButton>
            </Group>
            <RefusalAlert
              error={error}
              fields={isMailbox ? mailboxFieldNames : ['url', 'linkPrefix']}
            />
          </Stack>
        </form>
        {found && found.preview.linkGroups.length > 0 && (
          <LinkChoice
            key={found.given.url}
            groups={found.preview.linkGroups}
            isReadOnly={!mayEdit}
            isLooking={fetching}
            error={error}
            look={(linkPrefix) => void lookAt({ url: found.preview.url, linkPrefix })}
          />
        )}
        {found && <FoundSource key={found.preview.url} {...found} mayEdit={mayEdit} done={done} />}
      </Stack>
    </Panel>
  );
}

interface FoundProps extends Found {
  readonly mayEdit: boolean | undefined;
  readonly done: () => void;
}

/** What an address gives. A page can be added when the beginning of its links is chosen. */
function FoundSource({ preview, given, mayEdit, done }: FoundProps) {
  const { t } = useTranslator();
  if (preview.sourceId) {
    return (
      <Alert color="blue" role="status">
        {t('source.isKnown')}{' '}
        <ScreenLink to={`/sources/${preview.sourceId}`}>{preview.name}</ScreenLink>
      </Alert>
    );
  }
  if (!preview.kind) {
    return (
      <Alert color="orange" role="status">
        {t(preview.linkGroups.length > 0 ? 'source.isList' : 'source.isPage')}
      </Alert>
    );
  }
  return (
    <>
      <Entries preview={preview} />
      <SourceForm preview={preview} given={given} mayEdit={mayEdit} done={done} />
    </>
  );
}

function Entries({ preview }: { preview: Preview }) {
  const { t, name, date } = useTranslator();
  return (
    <section role="status">
      <Group gap={6}>
        <Badge variant="light">{name('sourceKind', preview.kind ?? '')}</Badge>
        <Text size="sm">{t('source.found', { count: preview.entryCount })}</Text>
      </Group>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        <bdi>{preview.url}</bdi>
      </Text>
      <ul className="rows">
        {preview.entries.map((entry) => (
          <li key={entry.url}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {entry.documentId ? (
                <ScreenLink to={`/documents/${entry.documentId}`}>
                  {entry.title ?? entry.url}
                </ScreenLink>
              ) : (
                <bdi>{entry.title ?? entry.url}</bdi>
              )}
            </Text>
            <Text size="sm" c="dimmed">
              {[
                entry.publishedAt && date(entry.publishedAt),
                entry.documentId && t('source.isHere'),
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SourceForm({ preview, given, mayEdit, done }: FoundProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [values, setValues] = useState({
    ...newSource,
    name: preview.name,
    visibility: given.mailbox ? ('INTERNAL' as const) : newSource.visibility,
  });
  const [takesAll, setTakesAll] = useState(false);
  const [{ fetching, error }, create] = useMutation(CreateSourceDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({
      input: {
        ...inputOfSource(values),
        ...given,
        ...(given.mailbox ? {} : { kind: preview.kind }),
        takesAll,
      },
    });
    if (data?.createSource) {
      notify(t('source.added'));
      done();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        <SourceOptions
          isNew
          values={values}
          change={(changed) => setValues((before) => ({ ...before, ...changed }))}
          error={error}
          isReadOnly={!mayEdit}
        />
        {preview.entryCount > 20 && (
          <Switch
            label={t('source.takesAll', { count: preview.entryCount })}
            checked={takesAll}
            onChange={(event) => setTakesAll(event.currentTarget.checked)}
          />
        )}
        <Group>
          <GuardedButton allowed={mayEdit} type="submit" loading={fetching}>
            {t('source.save')}
          </GuardedButton>
        </Group>
        <RefusalAlert error={error} fields={sourceFieldNames} />
      </Stack>
    </form>
  );
}
