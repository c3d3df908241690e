import { Button, Divider, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, type FormEvent, useState } from 'react';
import { type CombinedError, useMutation } from 'urql';
import { CreateDocumentDocument, IngestDocumentDocument, ReadFileDocument } from '../graph/documents/graphql';
import { useTranslator } from '../i18n';
import { fieldProblem, problemText } from '../problem';
import { useNotice } from '../ui/notice';

/** Adds documents: by address, several at once, or from files, whose text the gateway reads. */
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
  const [problem, setProblem] = useState<string | null>(null);
  const [{ fetching }, ingest] = useMutation(IngestDocumentDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const refused: string[] = [];
    let problems = '';
    const addresses = text.split(/\s+/).filter(Boolean);
    for (const sourceUrl of addresses) {
      const { data, error } = await ingest({ sourceUrl });
      const sentence = error ? sentenceOf(error) : data?.ingestDocument?.error;
      if (sentence) {
        refused.push(sourceUrl);
        problems ||= sentence;
      }
    }
    setText(refused.join('\n'));
    setProblem(problems || null);
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
          error={problem}
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

function sentenceOf(error: CombinedError): string {
  return fieldProblem(error, 'sourceUrl') ?? problemText(error);
}

function FileForm({ reload }: { reload: () => void }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [over, setOver] = useState(false);
  const [busy, setBusy] = useState(false);
  const [, read] = useMutation(ReadFileDocument);
  const [, create] = useMutation(CreateDocumentDocument);
  const store = async (file: File) => {
    const text = await read({ file });
    const found = text.data?.extractText;
    if (!found) {
      return text.error?.graphQLErrors[0]?.message ?? text.error?.message ?? '';
    }
    const { error } = await create({ title: found.filename.replace(/\.\w+$/, ''), content: found.content });
    return error ? problemText(error) : null;
  };
  const storeAll = async (files: Iterable<File>) => {
    setBusy(true);
    for (const file of files) {
      const failure = await store(file);
      notify(failure === null ? t('documents.fileAdded', { name: file.name }) : `${file.name}: ${failure}`, failure !== null);
    }
    setBusy(false);
    reload();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void storeAll(event.dataTransfer.files);
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
      <FileButton multiple onChange={(files) => void storeAll(files)}>
        {(props) => (
          <Button {...props} variant="default" size="xs" loading={busy}>
            {t('documents.choose')}
          </Button>
        )}
      </FileButton>
    </div>
  );
}
