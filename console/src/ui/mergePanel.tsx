import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type MessageKey, useTranslator } from '../i18n';
import { ConfirmedButton } from './confirmedButton';
import { Panel } from './panel';

/** A company or an executive that was chosen, and how much it has. */
export interface Mergeable {
  readonly id: string;
  readonly name: string;
  readonly documentCount: number;
  readonly signalCount: number;
}

interface MergeProps {
  readonly rows: readonly Mergeable[];
  readonly title: MessageKey;
  readonly hint: MessageKey;
  readonly fetching: boolean;
  readonly merge: (keptId: string, mergedIds: string[]) => unknown;
}

/**
 * Merges rows that are the same into one of them. It says what moves, and a dialog asks first: a
 * merge cannot be undone.
 */
export function MergePanel({ rows, title, hint, fetching, merge }: MergeProps) {
  const { t } = useTranslator();
  const [chosen, setChosen] = useState<string | null>(null);
  const kept = rows.find(({ id }) => id === chosen) ?? rows[0];
  if (!kept || rows.length < 2) {
    return null;
  }
  const merged = rows.filter(({ id }) => id !== kept.id);
  const sum = (field: 'documentCount' | 'signalCount') =>
    merged.reduce((total, row) => total + row[field], 0);
  const names = merged.map(({ name }) => `“${name}”`).join(', ');
  const moves = t('merge.moves', {
    names,
    kept: kept.name,
    documents: t('documents.count', { count: sum('documentCount') }),
    signals: t('document.signals', { count: sum('signalCount') }),
  });
  return (
    <Panel title={t(title)}>
      <Stack p="md" gap="sm">
        <Text size="sm" c="dimmed">
          {t(hint)}
        </Text>
        <NativeSelect
          label={t('merge.keep')}
          value={kept.id}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={rows.map(({ id, name, documentCount, signalCount }) => ({
            value: id,
            label: [
              name,
              t('documents.count', { count: documentCount }),
              t('document.signals', { count: signalCount }),
            ].join(' · '),
          }))}
        />
        <Text size="sm">{moves}</Text>
        <Group>
          <ConfirmedButton
            color="red"
            variant="light"
            loading={fetching}
            subject={rows.map(({ id }) => id).join()}
            action={t('merge.action')}
            question={`${moves} ${t('merge.final')}`}
            run={() =>
              merge(
                kept.id,
                merged.map(({ id }) => id),
              )
            }
          />
        </Group>
      </Stack>
    </Panel>
  );
}
