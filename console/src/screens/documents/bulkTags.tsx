import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useId } from 'react';
import { type CombinedError, useQuery } from 'urql';
import { BulkTagsDocument, type BulkTagsQuery } from '../../graph/documents/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import type { BulkTag, Intent } from './bulk';

interface TagsProps {
  readonly tags: readonly BulkTag[];
  readonly change: (tags: readonly BulkTag[]) => void;
  readonly error: CombinedError | undefined;
}

/** The values of auto-tags that a bulk update sets or removes, one row for each auto-tag. */
export function BulkTags({ tags, change, error }: TagsProps) {
  const { t } = useTranslator();
  const [{ data }] = useQuery({ query: BulkTagsDocument });
  const known = data?.autoTags?.nodes ?? [];
  const others = known.filter(({ id }) => !tags.some(({ autoTagId }) => autoTagId === id));
  return (
    <>
      {tags.map((tag, i) => (
        <TagRow
          key={tag.autoTagId}
          tag={tag}
          of={known.find(({ id }) => id === tag.autoTagId)}
          change={(next) => change(tags.flatMap((one) => (one === tag ? (next ?? []) : one)))}
          problem={fieldProblem(error, `set/autoTagValues/${i}`)}
        />
      ))}
      {others.length > 0 && (
        <NativeSelect
          label={t('bulk.addTag')}
          data={[
            { value: '', label: t('bulk.noTag') },
            ...others.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value=""
          onChange={(event) =>
            change([...tags, { autoTagId: event.currentTarget.value, intent: 'set', value: '' }])
          }
        />
      )}
    </>
  );
}

interface RowProps {
  readonly tag: BulkTag;
  readonly of: NonNullable<BulkTagsQuery['autoTags']>['nodes'][number] | undefined;
  /** Replaces the row, or takes it out. */
  readonly change: (tag: BulkTag | null) => void;
  /** Why the gateway refused the value. */
  readonly problem: string | undefined;
}

function TagRow({ tag, of, change, problem }: RowProps) {
  const { t } = useTranslator();
  const choices = useId();
  const name = of?.name ?? tag.autoTagId;
  return (
    <Group gap="sm" align="flex-end" grow>
      <NativeSelect
        label={name}
        data={(['keep', 'set', 'clear'] satisfies Intent[]).map((one) => ({
          value: one,
          label: t(`bulk.intent.${one}`),
        }))}
        value={tag.intent}
        onChange={(event) => {
          const intent = event.currentTarget.value as Intent;
          change(intent === 'keep' ? null : { ...tag, intent });
        }}
      />
      {tag.intent === 'set' && (
        <TextInput
          required
          dir="auto"
          maxLength={500}
          aria-label={t('bulk.valueOf', { field: name })}
          list={of && of.allowedValues.length > 0 ? choices : undefined}
          value={tag.value}
          onChange={(event) => change({ ...tag, value: event.currentTarget.value })}
          error={problem}
        />
      )}
      <datalist id={choices}>
        {of?.allowedValues.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </Group>
  );
}
