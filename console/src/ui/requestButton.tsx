import { ActionIcon } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslator } from '../i18n';
import { loadLater } from './loadLater';
import type { ScreenRequest } from './screenRequest';

const RequestDialog = loadLater(() => import('./requestDialog'), { isFloating: true });

/** Opens the dialog with the request of this screen. */
export function RequestButton({ request }: { request: ScreenRequest }) {
  const { t } = useTranslator();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <ActionIcon
        ref={button}
        variant="default"
        size="lg"
        title={t('asked.title')}
        aria-label={t('asked.title')}
        onClick={() => setOpen(true)}
      >
        <IconCode size={18} aria-hidden />
      </ActionIcon>
      {isOpen && <RequestDialog request={request} close={close} />}
    </>
  );
}
