import { Alert, Button, Divider, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, type FormEvent, useRef, useState } from 'react';
import { useMutation } from 'urql';
import {
  CreateDocumentDocument,
  IngestDocumentDocument,
  ReadFileDocument,
} from '../../graph/documents/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem, problemText } from '../../problemText';
import { useNotice } from '../../ui/notice';

/**
 * Adds documents by address, several at once, or from files. The gateway reads the text of a file.
 */
export function AddDocuments({ reload }: { reload: () => void }) {
  return (
    <div className="panel" style={{ padding: '1rem' }}>
      <Stack>
        <AddressForm reload={reload} />
        <Divider />
        <FileForm reload={reload} />
      </Stack>
    </div>
  );
}

function AddressForm({ reload }: { reload: () => void }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [text, setText] = useState('');
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const [{ fetching }, ingest] = useMutation(IngestDocumentDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const refused: Failure[] = [];
    const addresses = text.split(/\s+/).filter(Boolean);
    for (const sourceUrl of addresses) {
      const { data, error } = await ingest({ sourceUrl });
      const reason = error
        ? (fieldProblem(error, 'sourceUrl') ?? problemText(error, t))
        : data?.ingestDocument?.error;
      if (reason) {
        refused.push({ name: sourceUrl, reason });
      }
    }
    setText(refused.map(({ name }) => name).join('\n'));
    setFailures(refused);
    const count = addresses.length - refused.length;
    if (count > 0) {
      notify(t('documents.added', { count }));
      reload();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <Textarea
          label={t('documents.addresses')}
          description={t('documents.addressesHint')}
          placeholder={'https://example.com/news\nhttps://example.com/report.pdf'}
          autosize
          minRows={2}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={failures.length > 1 ? <Reasons failures={failures} /> : failures[0]?.reason}
        />
        <Group>
          <Button type="submit" loading={fetching} disabled={!text.trim()}>
            {t('documents.ingest')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A source that was refused, with the reason. */
interface Failure {
  readonly name: string;
  readonly reason: string;
}

function Reasons({ failures }: { failures: readonly Failure[] }) {
  return failures.map(({ name, reason }, i) => (
    <Text key={i} span inherit display="block" style={{ overflowWrap: 'anywhere' }}>
      <bdi>{name}</bdi>: {reason}
    </Text>
  ));
}

function FileForm({ reload }: { reload: () => void }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [over, setOver] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const resetChoice = useRef<() => void>(null);
  const [, read] = useMutation(ReadFileDocument);
  const [, create] = useMutation(CreateDocumentDocument);
  const store = async (file: File) => {
    const text = await read({ file });
    const found = text.data?.extractText;
    if (!found) {
      return text.error ? problemText(text.error, t) : t('state.failed');
    }
    const { error } = await create({
      title: found.filename.replace(/\.\w+$/, ''),
      content: found.content,
    });
    return error ? problemText(error, t) : null;
  };
  const storeAll = async (files: readonly File[]) => {
    setBusy(true);
    setFailures([]);
    let count = 0;
    for (const file of files) {
      const reason = await store(file);
      if (reason === null) {
        count++;
      } else {
        setFailures((before) => [...before, { name: file.name, reason }]);
      }
    }
    if (count > 0) {
      notify(
        count === 1 && files.length === 1
          ? t('documents.fileAdded', { name: files[0]?.name ?? '' })
          : t('documents.filesAdded', { count }),
      );
    }
    setBusy(false);
    resetChoice.current?.(); // so that a failed file can be chosen again
    reload();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void storeAll([...event.dataTransfer.files]);
  };
  return (
    <div
      className="drop"
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconFileUpload size={28} aria-hidden />
      <Text size="sm">{t('documents.drop')}</Text>
      <FileButton multiple resetRef={resetChoice} onChange={(files) => void storeAll(files)}>
        {(props) => (
          <Button {...props} variant="default" size="xs" loading={busy}>
            {t('documents.choose')}
          </Button>
        )}
      </FileButton>
      {failures.length > 0 && (
        <Alert
          color="red"
          role="alert"
          title={t('documents.filesFailed', { count: failures.length })}
          withCloseButton
          closeButtonLabel={t('action.close')}
          onClose={() => setFailures([])}
          ta="start"
          w="100%"
        >
          <Reasons failures={failures} />
        </Alert>
      )}
    </div>
  );
}
