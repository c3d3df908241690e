import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslator } from '../i18n';
import { asksBeforeUnload, registerUnsaved } from '../unsavedChanges';

interface WarningProps {
  readonly isUnsaved: boolean;
  /** True if the unsaved text is there again after a sign-in by the identity provider. */
  readonly isRestorable?: boolean;
}

/**
 * Asks before the user leaves unsaved changes: by a link, by Back or, in the browser's
 * words, by a reload.
 */
export function UnsavedWarning({ isUnsaved, isRestorable = false }: WarningProps) {
  const { t } = useTranslator();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  useEffect(() => {
    if (!isUnsaved) {
      return undefined;
    }
    const unregister = registerUnsaved((next) => setLeave(() => next));
    const warn = (event: BeforeUnloadEvent) => {
      if (asksBeforeUnload(isRestorable)) {
        event.preventDefault();
      }
    };
    window.addEventListener('beforeunload', warn);
    return () => {
      unregister();
      window.removeEventListener('beforeunload', warn);
    };
  }, [isUnsaved, isRestorable]);
  const stay = () => setLeave(null);
  const confirm = () => {
    stay();
    leave?.();
  };
  return (
    <Modal
      opened={leave !== null}
      onClose={stay}
      title={t('unsaved.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack>
        <Text size="sm">{t('unsaved.text')}</Text>
        <Group>
          <Button data-autofocus onClick={stay}>
            {t('unsaved.stay')}
          </Button>
          <Button variant="light" color="red" onClick={confirm}>
            {t('unsaved.leave')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
