import { Button, Group, Modal, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslator } from './i18n';
import { declineOfferedKey, signInWithKey, useOfferedKey } from './session';
import { confirmLeave } from './unsavedChanges';

/** Asks whether a key of the address replaces the open session. It names the open workspace. */
export function KeyOffer({ workspace }: { workspace: string }) {
  const { t } = useTranslator();
  const key = useOfferedKey();
  const accept = () => key && confirmLeave(() => signInWithKey(key));
  return (
    <Modal
      opened={key !== null}
      onClose={declineOfferedKey}
      title={t('keyOffer.title')}
      withCloseButton={false}
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
    >
      <Text size="sm" mb="md">
        {t('keyOffer.question', { workspace })}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={declineOfferedKey}>
          {t('keyOffer.stay')}
        </Button>
        <Button onClick={accept}>{t('keyOffer.accept')}</Button>
      </Group>
    </Modal>
  );
}

/** Signs in with a key of the address where no session is open. */
export function useOfferedSignIn(isRefused: boolean): void {
  const key = useOfferedKey();
  useEffect(() => {
    if (isRefused && key) {
      signInWithKey(key);
    }
  }, [isRefused, key]);
}
