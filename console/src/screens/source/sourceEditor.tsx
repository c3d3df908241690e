import { TextInput } from '@mantine/core';
import { useMutation } from 'urql';
import { failureCode } from '../../client';
import {
  type SourceSettingsFragment,
  StoredSourceDocument,
  UpdateSourceDocument,
  type UpdateSourceInput,
} from '../../graph/source/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { differing, EditForm } from '../../ui/editForm';
import {
  mailboxFieldNames,
  MailboxFields,
  type MailboxValues,
  newMailbox,
} from '../../ui/mailboxFields';
import {
  inputOfSource,
  sourceFieldNames,
  SourceOptions,
  type SourceValues,
} from '../../ui/sourceFields';
import { saveMerged } from '../../ui/saveMerged';
import { useFormState } from '../../ui/useFormState';
import { useFreshRead } from '../../ui/useFreshRead';

/** What is edited of a source; other kinds than mailboxes leave the values of one as they are. */
interface Value extends SourceValues, MailboxValues {
  readonly url: string;
  /** Empty for other kinds than pages. */
  readonly linkPrefix: string;
}

const valueOf = (source: SourceSettingsFragment): Value => ({
  ...newMailbox,
  ...(source.mailbox && {
    host: source.mailbox.host,
    port: source.mailbox.port,
    username: source.mailbox.username,
    folder: source.mailbox.folder,
    security: source.mailbox.security,
  }),
  url: source.url,
  linkPrefix: source.linkPrefix ?? '',
  name: source.name,
  intervalMinutes: source.intervalMinutes,
  visibility: source.visibility,
  provenance: source.mediaProvenance ?? '',
  includes: source.titleIncludes.join(', '),
  excludes: source.titleExcludes.join(', '),
  tags: source.tags.join(', '),
});

const isSame = (a: Value, b: Value) => differing(a, b).length === 0;

const mailboxNames = ['host', 'port', 'username', 'password', 'folder', 'security'] as const;
const optionNames = {
  name: 'name',
  intervalMinutes: 'intervalMinutes',
  visibility: 'visibility',
  provenance: 'mediaProvenance',
  includes: 'titleIncludes',
  excludes: 'titleExcludes',
  tags: 'tags',
} as const;

/** Returns the changed fields as the gateway takes them. */
function changes(value: Value, base: Value): Omit<UpdateSourceInput, 'sourceId'> {
  const changed = new Set(differing(value, base));
  const given = inputOfSource(value);
  const mailbox = mailboxNames.filter((name) => changed.has(name));
  return {
    ...Object.fromEntries(
      Object.entries(optionNames)
        .filter(([name]) => changed.has(name as keyof typeof optionNames))
        .map(([, field]) => [field, given[field]]),
    ),
    ...(changed.has('url') && { url: value.url.trim() }),
    ...(changed.has('linkPrefix') && { linkPrefix: value.linkPrefix.trim() }),
    ...(mailbox.length > 0 && {
      mailbox: Object.fromEntries(mailbox.map((name) => [name, value[name]])),
    }),
  };
}

interface EditorProps {
  readonly source: SourceSettingsFragment;
  readonly close: () => void;
}

/** Edits a source. */
export function SourceEditor({ source, close }: EditorProps) {
  const { t } = useTranslator();
  const stored = { value: valueOf(source), updatedAt: source.updatedAt, version: source.version };
  const form = useFormState(stored, isSame);
  const { save, fetching, error } = useSaving(source, form.value, form.base.value);
  const change = (part: Partial<Value>) => form.change((before) => ({ ...before, ...part }));
  const { value } = form;
  return (
    <EditForm
      form={form}
      stored={stored}
      labels={useLabels(source)}
      error={error}
      fields={[...sourceFieldNames, ...mailboxFieldNames]}
      isSaving={fetching}
      save={save}
      saved={t('source.saved')}
      close={close}
    >
      {source.mailbox ? (
        <MailboxFields
          hasPassword
          values={value}
          change={change}
          error={error}
          isReadOnly={false}
        />
      ) : (
        <TextInput
          type="url"
          label={t('source.itsAddress')}
          value={value.url}
          onChange={(event) => change({ url: event.currentTarget.value })}
          error={fieldProblem(error, 'url')}
        />
      )}
      {source.linkPrefix !== null && (
        <TextInput
          type="url"
          label={t('source.linkPrefix')}
          description={t('source.linkPrefixHint')}
          value={value.linkPrefix}
          onChange={(event) => change({ linkPrefix: event.currentTarget.value })}
          error={fieldProblem(error, 'linkPrefix')}
        />
      )}
      <SourceOptions values={value} change={change} error={error} isReadOnly={false} />
    </EditForm>
  );
}

/** Saves the changed fields, beside those that somebody else has saved since. */
function useSaving(source: SourceSettingsFragment, value: Value, base: Value) {
  const [{ fetching, error }, update] = useMutation(UpdateSourceDocument);
  const { read } = useFreshRead(StoredSourceDocument, { id: source.id });
  const save = async () => {
    if (isSame(value, base)) {
      return true;
    }
    const result = await saveMerged({
      value,
      base,
      version: source.version,
      send: (version) =>
        update({ input: { sourceId: source.id, ifVersion: [version], ...changes(value, base) } }),
      read: async () => {
        const now = (await read())?.source;
        return now ? { value: valueOf(now), version: now.version } : null;
      },
    });
    return Boolean(result?.data?.updateSource);
  };
  const isStale = failureCode({ error }) === 'precondition_failed';
  return { save, fetching, error: isStale ? undefined : error };
}

/** The fields that two people may change differently, with their labels. A password is never shown. */
function useLabels(source: SourceSettingsFragment) {
  const { t } = useTranslator();
  const place = source.mailbox
    ? ([
        ['host', t('mailbox.host')],
        ['port', t('mailbox.port')],
        ['username', t('mailbox.username')],
        ['folder', t('mailbox.folder')],
        ['security', t('mailbox.security')],
      ] as const)
    : ([
        ['url', t('source.itsAddress')],
        ['linkPrefix', t('source.linkPrefix')],
      ] as const);
  return [
    ...place,
    ['name', t('source.name')],
    ['intervalMinutes', t('source.interval')],
    ['visibility', t('documents.visibility')],
    ['provenance', t('sources.provenance')],
    ['includes', t('source.includes')],
    ['excludes', t('source.excludes')],
    ['tags', t('source.tags')],
  ] as const;
}
