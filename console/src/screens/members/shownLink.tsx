import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useTranslator } from '../../i18n';

/** A link that was made for a person. It is shown once. */
export interface NewLink {
  readonly person: string;
  readonly address: string;
  /** True if it is also sent by mail. */
  readonly isMailed: boolean;
}

/** Shows a link to copy, and that the person has to be given it. */
export function ShownLink({ made, close }: { made: NewLink; close: () => void }) {
  const { t } = useTranslator();
  return (
    <Alert
      color="green"
      title={t('members.link', { name: made.person })}
      withCloseButton
      closeButtonLabel={t('action.close')}
      onClose={close}
    >
      <Stack gap="xs">
        <Text size="sm">
          {t('members.linkHint')} {t(made.isMailed ? 'members.linkMailed' : 'members.linkUnsent')}
        </Text>
        <Group gap="xs">
          <Code data-secret style={{ overflowWrap: 'anywhere' }}>
            {made.address}
          </Code>
          <CopyButton value={made.address}>
            {({ copied, copy }) => (
              <Button size="compact-sm" variant="default" onClick={copy}>
                {t(copied ? 'action.copied' : 'action.copy')}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Alert>
  );
}
