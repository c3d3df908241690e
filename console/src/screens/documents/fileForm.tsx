import { Alert, Button, FileButton, Text } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { CreateDocumentsDocument } from '../../graph/documents/graphql';
import { type Translator, useTranslator } from '../../i18n';
import { problemText } from '../../problemText';
import { useNotice } from '../../ui/notice';
import { ScreenLink } from '../../ui/screenLink';
import { visibilityInput } from '../../ui/visibilityFields';
import { type AddProps, type Failure, Reasons } from './addDocuments';

/** A chosen file: it is sent, or the documents that it became. */
interface SentFile {
  readonly name: string;
  readonly state: 'waiting' | 'sending' | 'sent';
  readonly documents: readonly { readonly id: string; readonly name: string }[];
}

/**
 * Adds documents from files, which are sent one after another. The gateway keeps each file, and a
 * job reads its text; a ZIP becomes the documents of its files.
 */
export function FileForm({ access, reload }: AddProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [over, setOver] = useState(false);
  const [files, setFiles] = useState<readonly SentFile[]>([]);
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const resetChoice = useRef<() => void>(null);
  const [, create] = useMutation(CreateDocumentsDocument);
  const isBusy = files.some(({ state }) => state !== 'sent');
  const change = (at: number, part: Partial<SentFile>) =>
    setFiles((before) => before.map((file, i) => (i === at ? { ...file, ...part } : file)));
  const send = async (file: File, at: number) => {
    change(at, { state: 'sending' });
    const { data, error } = await create({ input: { files: [file], ...visibilityInput(access) } });
    const outcomes = data?.createDocuments?.files ?? [];
    const refused = outcomes.flatMap(({ name, refusal }) =>
      refusal ? [{ name, reason: refusal.message }] : [],
    );
    const skipped = (data?.createDocuments?.skipped ?? []).map((name) => ({
      name,
      reason: t('documents.skipped'),
    }));
    const failed = error ? [{ name: file.name, reason: problemText(error, t) }] : [];
    setFailures((before) => [...before, ...failed, ...refused, ...skipped]);
    const documents = outcomes.flatMap(({ name, documentId }) =>
      documentId ? [{ id: documentId, name }] : [],
    );
    change(at, { state: 'sent', documents });
    return documents.length;
  };
  const sendAll = async (chosen: readonly File[]) => {
    setFailures([]);
    setFiles(chosen.map(({ name }) => ({ name, state: 'waiting', documents: [] })));
    let count = 0;
    for (const [at, file] of chosen.entries()) {
      count += await send(file, at);
    }
    if (count > 0) {
      notify(t('documents.filesAdded', { count }));
    }
    resetChoice.current?.(); // so that a failed file can be chosen again
    reload();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!isBusy) {
      void sendAll([...event.dataTransfer.files]);
    }
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
      <Text size="xs" c="dimmed">
        {t('documents.dropHint')}
      </Text>
      <FileButton multiple resetRef={resetChoice} onChange={(chosen) => void sendAll(chosen)}>
        {(props) => (
          <Button {...props} variant="default" size="xs" loading={isBusy}>
            {t('documents.choose')}
          </Button>
        )}
      </FileButton>
      <SentFiles files={files} t={t} />
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

/** How far each file is. A file that was refused is named with the failures. */
function SentFiles({ files, t }: { files: readonly SentFile[]; t: Translator['t'] }) {
  const shown = files.filter(({ state, documents }) => state !== 'sent' || documents.length > 0);
  if (shown.length === 0) {
    return null;
  }
  return (
    <ul className="rows" aria-label={t('documents.files')} style={{ width: '100%' }}>
      {shown.map(({ name, state, documents }, i) => (
        <li key={i}>
          {state === 'sent' ? (
            documents.map((document) => (
              <Text key={document.id} size="sm">
                <ScreenLink to={`/documents/${document.id}`}>{document.name}</ScreenLink>
              </Text>
            ))
          ) : (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <bdi>{name}</bdi> · {t(`documents.${state}`)}
            </Text>
          )}
        </li>
      ))}
    </ul>
  );
}
