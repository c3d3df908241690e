import {
  Alert,
  Badge,
  Button,
  Code,
  Group,
  SegmentedControl,
  Stack,
  Switch,
  Text,
} from '@mantine/core';
import { IconRefresh, IconSend } from '@tabler/icons-react';
import { useLocation, useParams, useSearchParams } from 'wouter';
import {
  DeleteWebhookDocument,
  type DeliveryRowFragment,
  type DeliveryStatus,
  RedeliverDocument,
  ReplayFailedDocument,
  SendTestDocument,
  SetWebhookActiveDocument,
  WebhookScreenDocument,
  type WebhookScreenQuery,
} from '../../graph/webhook/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { useNotice } from '../../ui/notice';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen, useSubject } from '../../ui/screen';
import { useAction } from '../../ui/useAction';
import { SigningSecret } from './signingSecret';

type Found = NonNullable<WebhookScreenQuery['webhook']>;

const states: readonly DeliveryStatus[] = ['DELIVERED', 'RETRYING', 'FAILED'];
const colors: Record<DeliveryStatus, string> = {
  PENDING: 'gray',
  RETRYING: 'orange',
  DELIVERED: 'green',
  FAILED: 'red',
  SKIPPED: 'gray',
};

/** A webhook: its deliveries with every attempt, and ways to send again. */
export default function WebhookPage() {
  const { t } = useTranslator();
  const { id = '' } = useParams();
  const [search, setSearch] = useSearchParams();
  const status = states.find((one) => one === search.get('status')) ?? null;
  const result = useScreen(WebhookScreenDocument, { id, status, after: usePageCursor() });
  const [webhook, known] = useSubject(result, (data) => data.webhook);
  const mayWrite = useMay('EDIT');
  return (
    <Screen
      title={webhook ? webhook.label || webhook.url : t('nav.webhooks')}
      lead={webhook?.url}
      result={known}
      actions={webhook && mayWrite && <Actions webhook={webhook} />}
    >
      {() =>
        webhook && (
          <Stack gap="lg">
            <Head webhook={webhook} />
            {mayWrite && <SigningSecret key={webhook.id} webhook={webhook} />}
            <Deliveries
              webhook={webhook}
              status={status}
              choose={(value) => setSearch(value ? { status: value } : {})}
              mayWrite={mayWrite}
            />
          </Stack>
        )
      }
    </Screen>
  );
}

function Head({ webhook }: { webhook: Found }) {
  const { t, name, ago } = useTranslator();
  return (
    <>
      {webhook.pausedReason && (
        <Alert color="orange">
          {t('webhooks.paused', {
            reason: name('paused', webhook.pausedReason),
            when: webhook.pausedAt ? ago(webhook.pausedAt) : '',
          })}
        </Alert>
      )}
      <Group gap={6}>
        {webhook.signed && <Badge variant="light">{t('webhooks.signed')}</Badge>}
        {webhook.ordered && <Badge variant="light">{t('webhooks.ordered')}</Badge>}
        {(webhook.events.length > 0 ? webhook.events : [t('webhooks.allEvents')]).map((event) => (
          <Badge key={event} variant="light" color="gray" tt="none">
            {event}
          </Badge>
        ))}
        {webhook.consecutiveFailures > 0 && (
          <Badge color="red" variant="light">
            {t('webhooks.failures', { count: webhook.consecutiveFailures })}
          </Badge>
        )}
      </Group>
    </>
  );
}

function Actions({ webhook }: { webhook: Found }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [, navigate] = useLocation();
  const test = useAction(SendTestDocument);
  const replay = useAction(ReplayFailedDocument);
  const activate = useAction(SetWebhookActiveDocument);
  const remove = useAction(DeleteWebhookDocument);
  const webhookId = webhook.id;
  const replayFailed = async () => {
    const data = await replay.run({
      webhookId,
      since: new Date(Date.now() - 7 * 86_400_000).toISOString(),
    });
    if (data?.replayWebhookDeliveries) {
      notify(t('webhooks.replayed', { count: data.replayWebhookDeliveries.queuedCount }));
    }
  };
  const erase = async () => {
    if (await remove.run({ webhookId })) {
      navigate('/webhooks');
    }
  };
  return (
    <>
      <Switch
        label={t('webhooks.active')}
        checked={webhook.isActive}
        disabled={activate.fetching}
        onChange={(event) =>
          void activate.run({ webhookId, isActive: event.currentTarget.checked })
        }
      />
      <Button
        size="xs"
        variant="light"
        leftSection={<IconSend size={14} aria-hidden />}
        loading={test.fetching}
        onClick={() => void test.run({ webhookId })}
      >
        {t('webhooks.test')}
      </Button>
      <Button
        size="xs"
        variant="light"
        leftSection={<IconRefresh size={14} aria-hidden />}
        loading={replay.fetching}
        onClick={() => void replayFailed()}
      >
        {t('webhooks.replay')}
      </Button>
      <ConfirmedButton
        size="xs"
        variant="subtle"
        color="red"
        loading={remove.fetching}
        subject={webhookId}
        action={t('action.delete')}
        question={t('action.deleteQuestion', { name: webhook.label || webhook.url })}
        run={erase}
      />
    </>
  );
}

interface DeliveriesProps {
  readonly webhook: Found;
  readonly status: DeliveryStatus | null;
  readonly choose: (status: string) => void;
  readonly mayWrite: boolean | undefined;
}

function Deliveries({ webhook, status, choose, mayWrite }: DeliveriesProps) {
  const { t, name } = useTranslator();
  const list = webhook.deliveries;
  return (
    <Panel
      title={t('webhooks.deliveries', { count: list?.totalCount ?? 0 })}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('webhooks.status')}
          value={status ?? ''}
          onChange={choose}
          data={[
            { value: '', label: t('action.allShort') },
            ...states.map((one) => ({ value: one, label: name('delivery', one) })),
          ]}
        />
      }
    >
      {!list || list.nodes.length === 0 ? (
        <EmptyPage title={t('webhooks.noDeliveries')} hint={t('webhooks.noDeliveriesHint')} />
      ) : (
        <ul className="rows">
          {list.nodes.map((delivery) => (
            <Delivery
              key={delivery.id}
              delivery={delivery}
              webhookId={webhook.id}
              mayWrite={mayWrite}
            />
          ))}
        </ul>
      )}
      <PageLinks page={list?.pageInfo} />
    </Panel>
  );
}

function Delivery({
  delivery,
  webhookId,
  mayWrite,
}: {
  delivery: DeliveryRowFragment;
  webhookId: string;
  mayWrite: boolean | undefined;
}) {
  const { t, name, dateTime } = useTranslator();
  const again = useAction(RedeliverDocument);
  return (
    <li data-delivery={delivery.id}>
      <Group justify="space-between" gap="xs">
        <Group gap={6}>
          <Badge variant="light" color={colors[delivery.status]}>
            {name('delivery', delivery.status)}
          </Badge>
          <Text fw={550}>{name('event', delivery.eventName)}</Text>
          {delivery.test && (
            <Badge size="xs" variant="outline">
              {t('webhooks.sample')}
            </Badge>
          )}
        </Group>
        <Group gap={6}>
          <Text size="sm" c="dimmed">
            {dateTime(delivery.createdAt)}
          </Text>
          {mayWrite && !delivery.test && (
            <Button
              size="compact-xs"
              variant="light"
              loading={again.fetching}
              onClick={() => void again.run({ webhookId, deliveryId: delivery.id })}
            >
              {t('webhooks.redeliver')}
            </Button>
          )}
        </Group>
      </Group>
      <details>
        <summary>
          <Text span size="sm">
            {t('webhooks.attempts', { count: delivery.attempts.length })}
          </Text>
        </summary>
        <Attempts delivery={delivery} />
      </details>
    </li>
  );
}

/** The attempts of a delivery with the answers to them, and its event. */
function Attempts({ delivery }: { delivery: DeliveryRowFragment }) {
  const { t, name, dateTime, number } = useTranslator();
  return (
    <>
      {delivery.attempts.map((attempt) => (
        <div key={attempt.at}>
          <Text size="sm">
            {dateTime(attempt.at)} ·{' '}
            {attempt.status ?? name('deliveryError', attempt.errorCode ?? '')} ·{' '}
            {number(attempt.latencyMs)} ms {attempt.error && `· ${attempt.error}`}
          </Text>
          {attempt.body && <LabeledCode label={t('webhooks.answer')} text={attempt.body} />}
        </div>
      ))}
      {delivery.event ? (
        <LabeledCode
          label={t('webhooks.payload')}
          hint={t('webhooks.payloadHint')}
          text={JSON.stringify(payloadOf(delivery.event), null, 2)}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t('webhooks.noPayload')}
        </Text>
      )}
    </>
  );
}

/** Returns the event in the form of the body of a delivery. */
function payloadOf({ event, link, viewer, timestamp }: NonNullable<DeliveryRowFragment['event']>) {
  return {
    event,
    link: link && { id: link.linkId, slug: link.slug, title: link.title, short_url: link.shortUrl },
    viewer,
    timestamp,
  };
}

function LabeledCode({ label, hint, text }: { label: string; hint?: string; text: string }) {
  return (
    <>
      <Text size="xs" c="dimmed" mt={4}>
        <b>{label}</b> {hint}
      </Text>
      <Code block className="code" tabIndex={0}>
        {text}
      </Code>
    </>
  );
}
