import { Button, Group, Modal, Text } from '@mantine/core';
import { useTranslator } from './i18n';
import { declineOfferedKey, signInWithKey } from './session';
import { confirmLeave } from './unsavedChanges';

/** Asks whether a key of the address replaces the open session, and names the open workspace. */
export default function KeyOfferDialog({
  offered,
  workspace,
}: {
  offered: string;
  workspace: string;
}) {
  const { t } = useTranslator();
  const accept = () => {
    declineOfferedKey(); // a question about unsaved text takes its place
    confirmLeave(() => signInWithKey(offered));
  };
  return (
    <Modal
      opened
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
