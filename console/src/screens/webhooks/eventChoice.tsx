import { Checkbox, Group, NativeSelect, Text } from '@mantine/core';
import { eventTypes } from '../../eventTypes';
import type { CreateWebhookInput } from '../../graph/webhooks/graphql';
import { useTranslator } from '../../i18n';

type EventType = NonNullable<CreateWebhookInput['events']>[number];

export interface EventChoiceValue {
  readonly events: readonly EventType[];
  /** The saved search whose hits are told; empty for all. */
  readonly searchId: string;
}

/** Returns the fields of a new webhook for the chosen events. */
export const chosenEvents = ({ events, searchId }: EventChoiceValue) => ({
  events: events.length > 0 ? [...events] : undefined,
  searchId: events.includes('SEARCH_MATCHED') && searchId ? searchId : undefined,
});

interface ChoiceProps {
  readonly value: EventChoiceValue;
  readonly change: (value: EventChoiceValue) => void;
  readonly searches: readonly { readonly id: string; readonly name: string }[];
}

/** Chooses the events of a webhook, and of which saved search. */
export function EventChoice({ value, change, searches }: ChoiceProps) {
  const { t, name } = useTranslator();
  return (
    <details>
      <summary>{t('webhooks.which')}</summary>
      <Text size="sm" c="dimmed">
        {t('webhooks.whichHint')}
      </Text>
      <Checkbox.Group
        aria-label={t('webhooks.which')}
        value={[...value.events]}
        onChange={(events) => change({ ...value, events })}
      >
        <Group gap="sm" my="xs">
          {eventTypes.map((event) => (
            <Checkbox key={event} size="xs" value={event} label={name('event', event)} />
          ))}
        </Group>
      </Checkbox.Group>
      {value.events.includes('SEARCH_MATCHED') && (
        <NativeSelect
          label={t('webhooks.ofSearch')}
          value={value.searchId}
          onChange={(event) => change({ ...value, searchId: event.currentTarget.value })}
          data={[
            { value: '', label: t('webhooks.allSearches') },
            ...searches.map(({ id, name: label }) => ({ value: id, label })),
          ]}
        />
      )}
    </details>
  );
}
