import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { UpdateSourceDocument } from '../../graph/source/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { GuardedButton } from '../../ui/guardedButton';
import { MailboxFields, mailboxFieldNames, type MailboxValues } from '../../ui/mailboxFields';
import { useNotice } from '../../ui/notice';
import { RefusalAlert } from '../../ui/refusalAlert';
import {
  inputOfSource,
  sourceFieldNames,
  SourceOptions,
  type SourceValues,
} from '../../ui/sourceFields';
import type { FoundSource } from '.';

const valuesOf = (source: FoundSource): SourceValues => ({
  name: source.name,
  intervalMinutes: source.intervalMinutes,
  visibility: source.visibility,
  provenance: source.mediaProvenance ?? '',
  includes: source.titleIncludes.join(', '),
  excludes: source.titleExcludes.join(', '),
  tags: source.tags.join(', '),
});

const mailboxOf = ({ mailbox }: FoundSource): MailboxValues | null =>
  mailbox && {
    host: mailbox.host,
    port: mailbox.port,
    username: mailbox.username,
    password: '',
    folder: mailbox.folder,
    security: mailbox.security,
  };

interface EditorProps {
  readonly source: FoundSource;
  readonly mayEdit: boolean | undefined;
  readonly close: () => void;
}

/** Edits a source. The values are those of its opening, whatever others change meanwhile. */
export function SourceEditor({ source, mayEdit, close }: EditorProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [values, setValues] = useState(() => valuesOf(source));
  const [url, setUrl] = useState(source.url);
  const [mailbox, setMailbox] = useState(() => mailboxOf(source));
  const [{ fetching, error }, update] = useMutation(UpdateSourceDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const place = mailbox
      ? { mailbox: { ...mailbox, password: mailbox.password || undefined } }
      : { url: url.trim() };
    const { data } = await update({
      input: { sourceId: source.id, ...inputOfSource(values), ...place },
    });
    if (data?.updateSource) {
      notify(t('source.saved'));
      close();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack p="md" gap="sm">
        {mailbox ? (
          <MailboxFields
            hasPassword
            values={mailbox}
            change={(changed) => setMailbox({ ...mailbox, ...changed })}
            error={error}
            isReadOnly={!mayEdit}
          />
        ) : (
          <TextInput
            type="url"
            label={t('source.itsAddress')}
            value={url}
            readOnly={!mayEdit}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={fieldProblem(error, 'url')}
          />
        )}
        <SourceOptions
          values={values}
          change={(changed) => setValues((before) => ({ ...before, ...changed }))}
          error={error}
          isReadOnly={!mayEdit}
        />
        <Group gap="xs">
          <GuardedButton allowed={mayEdit} type="submit" loading={fetching}>
            {t('action.save')}
          </GuardedButton>
          <Button variant="default" onClick={close}>
            {t('action.cancel')}
          </Button>
        </Group>
        <RefusalAlert error={error} fields={[...sourceFieldNames, ...mailboxFieldNames]} />
      </Stack>
    </form>
  );
}
