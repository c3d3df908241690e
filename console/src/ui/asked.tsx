import { ActionIcon } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import { Suspense, lazy, useState } from 'react';
import { type AskedOperation, askedOperation } from '../client';
import { useTranslator } from '../i18n';

const RequestDialog = lazy(() => import('./request'));

/** Opens the dialog with the request of this screen. */
export function AskedRequest() {
  const { t } = useTranslator();
  const [asked, setAsked] = useState<AskedOperation | null>(null);
  return (
    <>
      <ActionIcon variant="default" size="lg" title={t('asked.title')} aria-label={t('asked.title')} onClick={() => setAsked(askedOperation())}>
        <IconCode size={18} aria-hidden />
      </ActionIcon>
      {asked && (
        <Suspense>
          <RequestDialog asked={asked} close={() => setAsked(null)} />
        </Suspense>
      )}
    </>
  );
}
