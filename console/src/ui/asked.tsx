import { ActionIcon } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import type { AnyVariables, DocumentInput } from '@urql/core';
import { useRef, useState } from 'react';
import { useTranslator } from '../i18n';
import { loadLater } from './load';

/** The request of a screen. */
export interface AskedOperation {
  readonly query: DocumentInput;
  readonly variables: AnyVariables;
}

const RequestDialog = loadLater(() => import('./request'), { isFloating: true });

/** Opens the dialog with the request of this screen. */
export function AskedRequest({ asked }: { asked: AskedOperation }) {
  const { t } = useTranslator();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <ActionIcon ref={button} variant="default" size="lg" title={t('asked.title')} aria-label={t('asked.title')} onClick={() => setOpen(true)}>
        <IconCode size={18} aria-hidden />
      </ActionIcon>
      {isOpen && <RequestDialog asked={asked} close={close} />}
    </>
  );
}
