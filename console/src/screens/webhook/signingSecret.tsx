import { Alert, Button, Code, CopyButton, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import {
  RotateSecretDocument,
  type RotateSecretMutation,
  type WebhookScreenQuery,
} from '../../graph/webhook/graphql';
import { useTranslator } from '../../i18n';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { Panel } from '../../ui/panel';
import { useAction } from '../../ui/useAction';

type Rotated = NonNullable<RotateSecretMutation['rotateWebhookSecret']>;

/** For how long the former secret signs too, in seconds. */
const overlaps = { none: 0, hour: 3600, day: 86_400, week: 604_800 } as const;
type Overlap = keyof typeof overlaps;

/** Replaces the secret that signs deliveries. The new one is shown once. */
export function SigningSecret({
  webhook,
}: {
  webhook: NonNullable<WebhookScreenQuery['webhook']>;
}) {
  const { t } = useTranslator();
  const [overlap, setOverlap] = useState<Overlap>('day');
  const [rotated, setRotated] = useState<Rotated | null>(null);
  const { run, fetching } = useAction(RotateSecretDocument);
  const { id, signed } = webhook;
  const rotate = async () => {
    const data = await run({ webhookId: id, overlapSeconds: overlaps[overlap] });
    setRotated((before) => data?.rotateWebhookSecret ?? before);
  };
  const name = webhook.label || webhook.url;
  return (
    <Panel title={t('secret.title')}>
      <Stack p="md" gap="sm">
        <Text size="sm" c="dimmed">
          {t(signed ? 'secret.hint' : 'secret.unsigned')}
        </Text>
        {rotated && <NewSecret rotated={rotated} close={() => setRotated(null)} />}
        <Group align="flex-end">
          {signed && (
            <NativeSelect
              label={t('secret.overlap')}
              value={overlap}
              onChange={(event) => setOverlap(event.currentTarget.value as Overlap)}
              data={(Object.keys(overlaps) as Overlap[]).map((value) => ({
                value,
                label: t(`secret.overlap.${value}`),
              }))}
            />
          )}
          <ConfirmedButton
            variant="light"
            loading={fetching}
            subject={id}
            action={t(signed ? 'secret.rotate' : 'secret.create')}
            question={
              signed
                ? `${t('secret.question', { name })} ${t(`secret.then.${overlap}`)}`
                : t('secret.createQuestion', { name })
            }
            run={rotate}
          />
        </Group>
      </Stack>
    </Panel>
  );
}

/** The new secret, with a button that copies it, and until when the former one signs too. */
function NewSecret({ rotated, close }: { rotated: Rotated; close: () => void }) {
  const { t, dateTime } = useTranslator();
  return (
    <Alert
      color="green"
      role="status"
      title={t('webhooks.secret')}
      withCloseButton
      closeButtonLabel={t('action.close')}
      onClose={close}
    >
      <Stack gap="xs" align="flex-start">
        <Code data-secret style={{ overflowWrap: 'anywhere' }}>
          {rotated.secret}
        </Code>
        <CopyButton value={rotated.secret}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy}>
              {copied ? t('action.copied') : t('action.copy')}
            </Button>
          )}
        </CopyButton>
        <Text size="sm">
          {rotated.previousValidUntil
            ? t('secret.until', { when: dateTime(rotated.previousValidUntil) })
            : t('secret.noPrevious')}
        </Text>
      </Stack>
    </Alert>
  );
}
