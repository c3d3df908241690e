import { Textarea } from '@mantine/core';
import { useMutation } from 'urql';
import { CorrectDocumentTextDocument } from '../../graph/document/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { EditForm, EditPanel } from '../../ui/editForm';
import { MarkedText } from '../../ui/markedText';
import type { Passage } from '../../ui/passages';
import { EmptyState } from '../../ui/screen';
import { useFormState } from '../../ui/useFormState';
import type { DocumentDetails } from './document';

interface TextProps {
  readonly document: DocumentDetails;
  readonly mayWrite: boolean | undefined;
  readonly passages: readonly Passage[];
  readonly current: string | null;
  readonly choose: (id: string) => void;
}

/** The types of sources whose structure extraction writes as Markdown. */
const markdownTypes = ['csv', 'docx', 'markdown', 'odt', 'pptx', 'rtf', 'webpage', 'xlsx'];

/** The text of a document with its passages; it is corrected in its place. */
export function DocumentText({ document, mayWrite, ...marks }: TextProps) {
  const { t } = useTranslator();
  const isRead = document.processingStatus === null || document.processingStatus === 'FAILED';
  return (
    <EditPanel
      title={t('document.text')}
      mayWrite={mayWrite && isRead}
      facts={
        <div style={{ padding: '1rem' }}>
          {document.content ? (
            <MarkedText
              text={document.content}
              isMarkdown={markdownTypes.includes(document.contentType ?? '')}
              {...marks}
            />
          ) : (
            <EmptyState title={t('document.noText')} hint={t('document.noTextHint')} />
          )}
        </div>
      }
      form={(close) => <TextForm key={document.id} document={document} close={close} />}
    />
  );
}

interface Value {
  readonly content: string;
}

function TextForm({ document, close }: { document: DocumentDetails; close: () => void }) {
  const { t } = useTranslator();
  const stored = {
    value: { content: document.content ?? '' },
    updatedAt: document.updatedAt ?? '',
  };
  const form = useFormState<Value>(stored, (a, b) => a.content === b.content);
  const [{ fetching, error }, update] = useMutation(CorrectDocumentTextDocument);
  const save = async () => {
    const input = { documentId: document.id, content: form.value.content };
    const { data } = await update({ input });
    return Boolean(data?.updateDocument);
  };
  return (
    <EditForm
      form={form}
      stored={stored}
      labels={[['content', t('document.text')]]}
      error={error}
      fields={['content']}
      isSaving={fetching}
      save={save}
      saved={t('document.textSaved')}
      close={close}
    >
      <Textarea
        label={t('document.text')}
        description={t('document.textHint')}
        value={form.value.content}
        onChange={(event) => {
          const content = event.currentTarget.value;
          form.change(() => ({ content }));
        }}
        error={fieldProblem(error, 'content')}
        autosize
        minRows={12}
        maxRows={30}
        dir="auto"
      />
    </EditForm>
  );
}
