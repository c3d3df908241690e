import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { DraftTextFragment } from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { WordChanges } from '../../ui/wordChanges';
import { storedFields } from './draftFields';
import { type MergeChoice, type Side, mergeFields } from './mergeText';
import type { DraftEditor } from './useDraftEditor';

const labels = {
  title: 'drafts.title',
  content: 'document.text',
  points: 'check.points',
} as const;

interface ConflictProps {
  /** The draft that somebody else saved. */
  readonly stored: DraftTextFragment;
  readonly editor: DraftEditor;
}

/**
 * The draft that somebody else saved, beside the fields. What only one side changed is merged; of
 * the rest a person takes a side. Each save keeps the other text as a version.
 */
export function DraftConflict({ stored, editor }: ConflictProps) {
  const { t, ago } = useTranslator();
  const theirs = useMemo(() => storedFields(stored).value, [stored]);
  const merge = useMemo(
    () => mergeFields(editor.fields, editor.base, theirs),
    [editor.fields, editor.base, theirs],
  );
  const [taken, setTaken] = useState<readonly (Side | undefined)[]>([]);
  const isDecided = merge.choices.every((_, i) => taken[i]);
  const name = stored.currentVersion?.author?.name ?? t('conflict.program');
  const saveMerged = () =>
    void editor.store(
      stored.version,
      merge.build((i) => taken[i] ?? 'mine'),
    );
  return (
    <Alert color="orange" role="alert" title={t('conflict.title')}>
      <Stack gap="sm">
        <Text size="sm">{t('conflict.by', { name, when: ago(stored.updatedAt) })}</Text>
        {merge.choices.map((choice, i) => (
          <Choice
            key={i}
            label={t('conflict.choice', { field: t(labels[choice.field]), number: i + 1 })}
            choice={choice}
            name={name}
            taken={taken[i]}
            take={(side) =>
              setTaken((all) => merge.choices.map((_, at) => (at === i ? side : all[at])))
            }
          />
        ))}
        <details>
          <summary>{t('conflict.differences')}</summary>
          <WordChanges
            before={`${theirs.title}\n\n${theirs.content}`}
            after={`${editor.title}\n\n${editor.content}`}
            label={t('conflict.differences')}
          />
        </details>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={editor.takeStored}>
            {t('conflict.useStored')}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={editor.fetching}
            onClick={() => void editor.store(stored.version)}
          >
            {t('conflict.saveMine')}
          </Button>
          <Button size="xs" loading={editor.fetching} disabled={!isDecided} onClick={saveMerged}>
            {t('conflict.saveMerged')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** The two sides of a part that both changed. */
function Choice({
  label,
  choice,
  name,
  taken,
  take,
}: {
  readonly label: string;
  readonly choice: MergeChoice;
  readonly name: string;
  readonly taken: Side | undefined;
  readonly take: (side: Side) => void;
}) {
  const { t } = useTranslator();
  const sides = { mine: t('conflict.mine'), theirs: t('conflict.theirs', { name }) } as const;
  return (
    <Radio.Group
      label={label}
      value={taken ?? ''}
      onChange={(side) => take(side === 'theirs' ? 'theirs' : 'mine')}
    >
      <Stack gap="xs" mt={4}>
        {(['mine', 'theirs'] as const).map((side) => (
          <div key={side}>
            <Radio value={side} label={sides[side]} />
            {choice[side] ? (
              <WordChanges
                before={choice[side === 'mine' ? 'theirs' : 'mine']}
                after={choice[side]}
                label={`${label}: ${sides[side]}`}
              />
            ) : (
              <Text size="sm">{t('conflict.removed')}</Text>
            )}
          </div>
        ))}
      </Stack>
    </Radio.Group>
  );
}
