import { Text } from '@mantine/core';
import { type MessageKey, useTranslator } from '../i18n';
import { useHasModel } from '../liveUpdates';

/** Says beside an action what it does less without a text model; nothing if there is one. */
export function ModelHint({ message }: { message: MessageKey }) {
  const { t } = useTranslator();
  return (
    useHasModel() === false && (
      <Text size="xs" c="dimmed" maw={320}>
        {t(message)}
      </Text>
    )
  );
}
