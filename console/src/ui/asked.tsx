import { ActionIcon } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { type AskedOperation, askedOperation } from '../client';
import { useTranslator } from '../i18n';
import { loadLater } from './load';

const RequestDialog = loadLater(() => import('./request'), { isFloating: true });

/** Opens the dialog with the request of this screen. */
export function AskedRequest() {
  const { t } = useTranslator();
  const [asked, setAsked] = useState<AskedOperation | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setAsked(null);
    button.current?.focus();
  };
  return (
    <>
      <ActionIcon ref={button} variant="default" size="lg" title={t('asked.title')} aria-label={t('asked.title')} onClick={() => setAsked(askedOperation())}>
        <IconCode size={18} aria-hidden />
      </ActionIcon>
      {asked && <RequestDialog asked={asked} close={close} />}
    </>
  );
}
