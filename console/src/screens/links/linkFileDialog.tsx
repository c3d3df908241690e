import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslator } from '../../i18n';
import type { FileRow } from './linkFile';
import { LinkFileForm } from './linkFileForm';
import { LinkFileRun } from './linkFileRun';

/** A job that makes links, and the rows that it was sent. */
export interface StartedFile {
  readonly jobId: string;
  readonly rows: readonly FileRow[];
}

/** Makes a link of each row of a file by a job, and shows what became of each. */
export default function LinkFileDialog({ close }: { close: () => void }) {
  const { t } = useTranslator();
  const [started, setStarted] = useState<StartedFile | null>(null);
  return (
    <Modal
      opened
      onClose={close}
      closeOnClickOutside={false}
      size="xl"
      title={t('linkFile.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      transitionProps={{ duration: 0 }}
    >
      {started ? <LinkFileRun {...started} /> : <LinkFileForm start={setStarted} />}
    </Modal>
  );
}
