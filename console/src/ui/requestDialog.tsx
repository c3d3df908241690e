import { Button, Code, CopyButton, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslator } from '../i18n';
import { type ScreenRequest, curlCommand, graphText } from './screenRequest';

/** Shows the request of a screen as GraphQL and as a curl command, to copy. */
export default function RequestDialog({
  request,
  close,
}: {
  request: ScreenRequest;
  close: () => void;
}) {
  const { t } = useTranslator();
  const [form, setForm] = useState('graphql');
  const text = form === 'curl' ? curlCommand(request) : graphText(request);
  return (
    <Modal
      opened
      onClose={close}
      title={t('asked.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('asked.hint')}
        </Text>
        <SegmentedControl
          value={form}
          onChange={setForm}
          data={[
            { value: 'graphql', label: 'GraphQL' },
            { value: 'curl', label: 'curl' },
          ]}
        />
        <Code block className="code" tabIndex={0}>
          {text}
        </Code>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button onClick={copy}>{copied ? t('action.copied') : t('action.copy')}</Button>
          )}
        </CopyButton>
      </Stack>
    </Modal>
  );
}
