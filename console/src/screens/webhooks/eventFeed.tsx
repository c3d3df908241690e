import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useSubscription } from 'urql';
import {
  EventFeedDocument,
  type EventFeedSubscription,
  type WebhooksQuery,
} from '../../graph/webhooks/graphql';
import { useTranslator, type Translator } from '../../i18n';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { EmptyState } from '../../ui/screen';

type LiveEvent = EventFeedSubscription['feed'];
type StoredEvent = NonNullable<WebhooksQuery['recent']>['nodes'][number];

const feedLength = 30;

/** An event in the feed; its id is also its position. */
interface FeedRow {
  readonly id: string;
  readonly eventName: LiveEvent['eventName'];
  readonly timestamp: string;
  readonly facts: readonly (string | null | undefined)[];
}

/** Returns what an event is about. */
function factsOf(event: LiveEvent, name: Translator['name']): FeedRow['facts'] {
  switch (event.__typename) {
    case 'LinkOpened':
      return [
        event.link?.title,
        event.payload?.country,
        event.payload?.device && name('device', event.payload.device),
      ];
    case 'LinkConverted':
      return [
        event.link?.title,
        event.payload && name('conversion', event.payload.conversionType),
        event.payload?.value,
      ];
    case 'FormSubmitted':
      return [event.link?.title, event.payload?.email];
    case 'SearchMatched':
      return [event.search?.name, event.document?.title];
    case 'SourceChanged':
      return [event.source?.name];
    case 'DocumentChanged':
      return [event.document?.title];
    case 'JobChanged':
      return [event.job?.document?.title, event.status.toLowerCase()];
    case 'CompanyChanged':
      return [event.company?.name];
    case 'ExecutiveChanged':
      return [event.executive?.name];
    case 'DraftChanged':
      return [event.draft?.title];
    case 'LinkChanged':
      return [event.link?.title];
    case 'PersonaChanged':
      return [event.persona?.name];
    default:
      return [];
  }
}

function storedFacts({ link, payload }: StoredEvent, name: Translator['name']): FeedRow['facts'] {
  switch (payload?.__typename) {
    case 'LinkOpenedPayload':
      return [link?.title, payload.country, payload.device && name('device', payload.device)];
    case 'ConversionPayload':
      return [link?.title, name('conversion', payload.conversionType), payload.value];
    case 'FormSubmittedPayload':
      return [link?.title, payload.email];
    case 'SearchMatchedPayload':
      return [payload.searchName, payload.document?.title];
    default:
      return [link?.title];
  }
}

/** Returns the newest events first: live ones and those of the response, each once. */
function feedRows(
  live: readonly LiveEvent[],
  stored: readonly StoredEvent[],
  name: Translator['name'],
): FeedRow[] {
  const arrived = live.map((event) => ({
    ...event,
    id: event.cursor,
    facts: factsOf(event, name),
  }));
  const ids = new Set(arrived.map(({ id }) => id));
  const earlier = stored
    .toReversed()
    .map((event) => ({ ...event, facts: storedFacts(event, name) }));
  return [...arrived, ...earlier.filter(({ id }) => !ids.has(id))].slice(0, feedLength);
}

/**
 * Subscribes to the events after the first response of the network, because a cached one may be
 * old.
 */
function useArrivedEvents(cursor: string | null | undefined, isCurrent: boolean) {
  const [start, setStart] = useState<{ after: string | null | undefined } | null>(null);
  if (!start && isCurrent) {
    setStart({ after: cursor });
  }
  return useSubscription(
    { query: EventFeedDocument, variables: { after: start?.after }, pause: !start },
    (before: LiveEvent[] = [], { feed }) => [feed, ...before].slice(0, feedLength),
  )[0];
}

/** The newest events: those of webhooks from before the screen was opened, and of everything since then. */
export function EventFeed({ data, isCurrent }: { data: WebhooksQuery; isCurrent: boolean }) {
  const { t, name, ago } = useTranslator();
  const { data: arrived = [], error } = useArrivedEvents(data.eventCursor, isCurrent);
  const rows = feedRows(arrived, data.recent?.nodes ?? [], name);
  return (
    <Panel title={t('webhooks.feed')}>
      <RefusalAlert error={error} />
      {rows.length === 0 ? (
        <EmptyState title={t('webhooks.waiting')} hint={t('webhooks.waitingHint')} />
      ) : (
        <ol className="rows" aria-live="polite">
          {rows.map(({ id, eventName, timestamp, facts }) => (
            <li key={id} data-event={eventName}>
              <Group justify="space-between" wrap="nowrap">
                <Text size="sm" fw={600}>
                  {name('event', eventName)}
                </Text>
                <Text size="xs" c="dimmed">
                  {ago(timestamp)}
                </Text>
              </Group>
              <Text size="sm">{facts.filter(Boolean).join(' · ')}</Text>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
