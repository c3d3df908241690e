import { Alert, Button, Code, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { stringifyDocument } from '@urql/core';
import { type FormEvent, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { CreateLinkDocument, StartLinkFileDocument } from '../../graph/links/graphql';
import { useTranslator } from '../../i18n';
import { RefusalAlert } from '../../ui/refusalAlert';
import { saveFile } from '../../ui/saveFile';
import { columns, jsonLines, type LinkFile, limits, readLinkFile, sampleFile } from './linkFile';
import type { StartedFile } from './linkFileDialog';
import { FilePreview, FileProblems } from './linkFilePreview';

/** Takes a file of links, shows what is in it, and starts the job if every row can be sent. */
export function LinkFileForm({ start }: { start: (started: StartedFile) => void }) {
  const { t } = useTranslator();
  const [file, setFile] = useState<LinkFile | null>(null);
  const [{ error, fetching }, send] = useMutation(StartLinkFileDocument);
  const rows = file?.rows ?? [];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await send({
      mutation: stringifyDocument(CreateLinkDocument),
      file: new File([jsonLines(rows)], 'links.jsonl', { type: 'application/jsonl' }),
    });
    const job = data?.startBulkMutation?.job;
    if (job) {
      start({ jobId: job.id, rows });
    }
  };
  return (
    <Stack component="form" gap="sm" onSubmit={(event) => void submit(event)}>
      <ColumnHints />
      <FileSource read={setFile} />
      {file && file.problems.length > 0 && <FileProblems problems={file.problems} />}
      {file && file.problems.length === 0 && <FilePreview rows={rows} />}
      <RefusalAlert error={error} />
      {file && file.problems.length === 0 && (
        <Group justify="flex-end">
          <Button type="submit" loading={fetching}>
            {t('linkFile.start', { count: rows.length })}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Which columns a file may have, and how much the gateway takes. */
function ColumnHints() {
  const { t, number } = useTranslator();
  return (
    <>
      <Text size="sm">{t('linkFile.hint')}</Text>
      <Text size="sm" c="dimmed">
        {t('linkFile.columns')}{' '}
        {columns.map((name) => (
          <span key={name}>
            <Code>{name}</Code>{' '}
          </span>
        ))}
      </Text>
      <Text size="sm" c="dimmed">
        {t('linkFile.limits', {
          lines: number(limits.lines),
          size: number(limits.megabytes),
        })}
      </Text>
    </>
  );
}

/** Reads a file that is chosen, or lines that are pasted. */
function FileSource({ read }: { read: (file: LinkFile | null) => void }) {
  const { t } = useTranslator();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState('');
  const [isUnreadable, setUnreadable] = useState(false);
  const choose = async (file: File) => {
    const content = await textOf(file);
    setText('');
    setChosen(file.name);
    setUnreadable(content === null);
    read(content === null ? null : readLinkFile(content, new Date()));
  };
  const paste = (content: string) => {
    setText(content);
    setChosen('');
    setUnreadable(false);
    read(content.trim() ? readLinkFile(content, new Date()) : null);
  };
  return (
    <>
      <FileButtons chosen={chosen} choose={(file) => void choose(file)} />
      <Textarea
        label={t('linkFile.paste')}
        value={text}
        onChange={(event) => paste(event.currentTarget.value)}
        minRows={3}
        maxRows={8}
        autosize
        spellCheck={false}
        dir="ltr"
        styles={{ input: { fontFamily: 'monospace' } }}
      />
      {isUnreadable && (
        <Alert color="red" role="alert">
          {t('linkFile.notUtf8')}
        </Alert>
      )}
    </>
  );
}

interface ButtonsProps {
  /** The name of the chosen file, if any. */
  readonly chosen: string;
  readonly choose: (file: File) => void;
}

function FileButtons({ chosen, choose }: ButtonsProps) {
  const { t } = useTranslator();
  const reset = useRef<() => void>(null);
  const saveSample = () =>
    saveFile('links-sample.csv', new Blob([sampleFile(new Date())], { type: 'text/csv' }));
  return (
    <Group gap="xs">
      <FileButton
        accept=".csv,text/csv"
        resetRef={reset}
        onChange={(file) => {
          if (file) {
            choose(file);
            reset.current?.(); // so that the same file can be chosen again once it is mended
          }
        }}
      >
        {(button) => (
          <Button {...button} variant="light" size="xs">
            {t('linkFile.choose')}
          </Button>
        )}
      </FileButton>
      <Button variant="default" size="xs" onClick={saveSample}>
        {t('linkFile.sample')}
      </Button>
      {chosen && (
        <Text size="sm" dir="auto">
          {chosen}
        </Text>
      )}
    </Group>
  );
}

/** Returns the text of a file, or null if it is not UTF-8. */
async function textOf(file: File): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}
