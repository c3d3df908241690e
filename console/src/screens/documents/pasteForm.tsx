import { Button, Group, Stack, TextInput, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { CreateDocumentDocument } from '../../graph/documents/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { useNotice } from '../../ui/notice';
import { RefusalAlert } from '../../ui/refusalAlert';
import { UnsavedWarning } from '../../ui/unsavedWarning';
import { type VisibilityValue, visibilityInput } from '../../ui/visibilityFields';
import { discardUnsaved } from '../../unsavedChanges';

/** The longest first line that is taken for a title, in characters. */
const longestTitle = 200;

/** Returns the first line of a text, if it can be its title. */
function firstLine(text: string): string {
  const line =
    text
      .trim()
      .split('\n', 1)[0]
      ?.replace(/^#+\s*/, '')
      .trim() ?? '';
  return line.length <= longestTitle ? line : '';
}

/** Adds a pasted text. Its title is its first line, unless another one is written. */
export function PasteForm({
  access,
  reload,
}: {
  readonly access: VisibilityValue;
  readonly reload: () => void;
}) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [, navigate] = useLocation();
  const [content, setContent] = useState('');
  const [written, setWritten] = useState<string | null>(null);
  const [{ fetching, error }, create] = useMutation(CreateDocumentDocument);
  const title = written ?? firstLine(content);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({ input: { title, content, ...visibilityInput(access) } });
    if (data?.createDocument) {
      discardUnsaved();
      reload();
      notify(t('documents.pasted'));
      navigate(`/documents/${data.createDocument.document.id}`);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <UnsavedWarning isUnsaved={content !== ''} />
      <Stack gap="sm">
        <Textarea
          label={t('documents.paste')}
          description={t('documents.pasteHint')}
          autosize
          minRows={3}
          maxRows={14}
          dir="auto"
          value={content}
          error={fieldProblem(error, 'content')}
          onChange={(event) => setContent(event.currentTarget.value)}
        />
        {content.trim() && (
          <TextInput
            label={t('document.title')}
            required
            dir="auto"
            value={title}
            error={fieldProblem(error, 'title')}
            onChange={(event) => setWritten(event.currentTarget.value)}
          />
        )}
        <RefusalAlert error={error} fields={['title', 'content']} />
        <Group>
          <Button type="submit" loading={fetching} disabled={!content.trim()}>
            {t('documents.addText')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
