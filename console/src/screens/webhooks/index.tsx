import { Alert, Badge, Code, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import {
  CreateWebhookDocument,
  WebhooksDocument,
  type WebhooksQuery,
} from '../../graph/webhooks/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { fieldProblem } from '../../problemText';
import { GuardedButton } from '../../ui/guardedButton';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { chosenEvents, EventChoice, type EventChoiceValue } from './eventChoice';
import { EventFeed } from './eventFeed';

/** The webhooks of the workspace, and the events as they happen. */
export default function Webhooks() {
  const { t } = useTranslator();
  const result = useScreen(WebhooksDocument, { after: usePageCursor() });
  const mayWrite = useMay('EDIT');
  return (
    <Screen title={t('nav.webhooks')} lead={t('webhooks.lead')} result={result}>
      {(data) => (
        <div className="with-aside aside-end">
          <Stack gap="lg">
            <WebhookForm mayWrite={mayWrite} searches={data.savedSearches?.nodes ?? []} />
            <Panel title={t('nav.webhooks')}>
              <WebhookList rows={data.webhooks?.nodes ?? []} />
              <PageLinks page={data.webhooks?.pageInfo} />
            </Panel>
          </Stack>
          <EventFeed data={data} isCurrent={!result.fetching} />
        </div>
      )}
    </Screen>
  );
}

function WebhookList({ rows }: { rows: NonNullable<WebhooksQuery['webhooks']>['nodes'] }) {
  const { t, name, ago } = useTranslator();
  const eventsOf = (webhook: (typeof rows)[number]) =>
    webhook.events.map((event) => name('event', event)).join(', ');
  if (rows.length === 0) {
    return <EmptyPage title={t('webhooks.none')} hint={t('webhooks.noneHint')} />;
  }
  return (
    <ul className="rows">
      {rows.map((webhook) => {
        const latest = webhook.deliveries?.nodes[0];
        return (
          <li key={webhook.id}>
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <ScreenLink to={`/webhooks/${webhook.id}`} className="row-link">
                {webhook.label || webhook.url}
              </ScreenLink>
              <Badge
                variant="light"
                color={webhook.isActive && !webhook.pausedReason ? 'green' : 'orange'}
                style={{ flexShrink: 0 }}
              >
                {webhook.pausedReason
                  ? name('paused', webhook.pausedReason)
                  : webhook.isActive
                    ? t('webhooks.active')
                    : t('persona.inactive')}
              </Badge>
            </Group>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {[
                webhook.url,
                eventsOf(webhook) || t('webhooks.allEvents'),
                webhook.search?.name,
                latest && `${name('delivery', latest.status)} ${ago(latest.createdAt)}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </li>
        );
      })}
    </ul>
  );
}

interface FormProps {
  readonly mayWrite: boolean | undefined;
  readonly searches: readonly { readonly id: string; readonly name: string }[];
}

function WebhookForm({ mayWrite, searches }: FormProps) {
  const { t } = useTranslator();
  const [url, setUrl] = useState('');
  const [label, setLabel] = useState('');
  const [signing, setSigning] = useState(true);
  const [choice, choose] = useState<EventChoiceValue>({ events: [], searchId: '' });
  const [secret, setSecret] = useState<string | null>(null);
  const [{ fetching, error }, create] = useMutation(CreateWebhookDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({
      input: { url, label: label || undefined, signing, ...chosenEvents(choice) },
    });
    if (data?.createWebhook) {
      setSecret(data.createWebhook.webhook.signingSecret ?? null);
      setUrl('');
      setLabel('');
      choose({ events: [], searchId: '' });
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="panel card" noValidate>
      <Group align="flex-start">
        <TextInput
          label={t('webhooks.url')}
          placeholder="https://example.com/hook"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          error={fieldProblem(error, 'url')}
          style={{ flex: '2 1 14rem' }}
        />
        <TextInput
          label={t('persona.name')}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
          error={fieldProblem(error, 'label')}
          style={{ flex: '1 1 8rem' }}
        />
      </Group>
      <EventChoice value={choice} change={choose} searches={searches} />
      <Group>
        <Switch
          label={t('webhooks.sign')}
          checked={signing}
          onChange={(event) => setSigning(event.currentTarget.checked)}
        />
        <GuardedButton allowed={mayWrite} type="submit" loading={fetching}>
          {t('webhooks.add')}
        </GuardedButton>
      </Group>
      <RefusalAlert error={error} fields={['url', 'label']} />
      {secret && (
        <Alert
          color="green"
          title={t('webhooks.secret')}
          withCloseButton
          closeButtonLabel={t('action.close')}
          onClose={() => setSecret(null)}
        >
          <Code>{secret}</Code>
        </Alert>
      )}
    </form>
  );
}
