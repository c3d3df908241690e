import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { useAccess } from '../../access';
import { useTranslator } from '../../i18n';
import { downloadFile } from '../../ui/downloadFile';
import type { DocumentDetails } from './document';

/** The file or page that a document was read from, which is downloaded with the session's rights. */
export function Original({ original }: { original: NonNullable<DocumentDetails['original']> }) {
  const { t, number } = useTranslator();
  const access = useAccess();
  const [isLoading, setLoading] = useState(false);
  const [failed, setFailed] = useState(false);
  const download = async () => {
    setLoading(true);
    setFailed(!(await downloadFile(original.name, original.url ?? '', access)));
    setLoading(false);
  };
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        disabled={isLoading}
        onClick={() => void download()}
        title={original.mediaType}
        ta="start"
      >
        {t('document.original', {
          name: original.name,
          size: number(Math.ceil(original.size / 1000)),
        })}
      </Anchor>
      {failed && (
        <Text size="sm" c="red" role="alert">
          {t('document.originalFailed')}
        </Text>
      )}
    </>
  );
}
