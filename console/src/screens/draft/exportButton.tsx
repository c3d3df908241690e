import { Alert, Button, Group, Select, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import {
  ExportDraftDocument,
  type ExportDraftMutation,
  type ExportFormat,
} from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { saveFile } from '../../ui/saveFile';
import { useAction } from '../../ui/useAction';

const formats: readonly ExportFormat[] = ['DOCX', 'PDF', 'HTML', 'MD', 'TXT'];

interface ExportProps {
  readonly title: string;
  readonly content: string;
  readonly contentType: string;
  readonly themes: readonly string[];
  readonly mayWrite: boolean | undefined;
  /** Buttons at the start of the same row, and at its end. */
  readonly children: ReactNode;
  readonly end: ReactNode;
}

type ExportedFile = NonNullable<ExportDraftMutation['exportContent']>['file'];

/**
 * Exports the text as a file, also before it is saved. The file's warning stays until it is closed.
 */
export function ExportButton({
  title,
  content,
  contentType,
  themes,
  mayWrite,
  children,
  end,
}: ExportProps) {
  const { t, number, name } = useTranslator();
  const [format, setFormat] = useState<ExportFormat>('DOCX');
  const [file, setFile] = useState<ExportedFile | null>(null);
  const make = useAction(ExportDraftDocument);
  const run = async () => {
    const text =
      contentType === 'html' ? { contentHtml: content } : { contentText: content, contentType };
    const data = await make.run({ input: { format, title, themes: [...themes], ...text } });
    const written = data?.exportContent?.file ?? null;
    setFile(written);
    if (written) {
      saveExport(written);
    }
  };
  return (
    <>
      <Group>
        {children}
        {mayWrite && (
          <Group gap={4} wrap="nowrap">
            <Select
              aria-label={t('drafts.format')}
              w={160}
              data={formats.map((value) => ({ value, label: name('format', value) }))}
              value={format}
              onChange={(value) => setFormat(value ?? 'DOCX')}
              allowDeselect={false}
            />
            <Button variant="default" loading={make.fetching} onClick={() => void run()}>
              {t('drafts.export')}
            </Button>
          </Group>
        )}
        {end}
      </Group>
      {file && (
        <Alert
          color={file.warning ? 'orange' : 'green'}
          role="status"
          title={file.warning ? t('drafts.exportWarning') : t('drafts.exported')}
          withCloseButton
          closeButtonLabel={t('action.close')}
          onClose={() => setFile(null)}
        >
          <Text size="sm">
            {t('drafts.file', { name: file.name, size: number(Math.ceil(file.size / 1000)) })}
          </Text>
          {file.warning && <Text size="sm">{file.warning}</Text>}
        </Alert>
      )}
    </>
  );
}

/** Has the browser save a file from its content in base64. */
function saveExport({ name, mediaType, content }: ExportedFile): void {
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  saveFile(name, new Blob([bytes], { type: mediaType }));
}
