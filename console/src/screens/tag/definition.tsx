import { Group, Stack } from '@mantine/core';
import type { FormEvent } from 'react';
import { useMutation } from 'urql';
import { type TagHeadFragment, UpdateAutoTagDocument } from '../../graph/tag/graphql';
import { useTranslator } from '../../i18n';
import {
  AutoTagFields,
  autoTagFieldNames,
  autoTagInput,
  type AutoTagValues,
} from '../../ui/autoTagFields';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { UnsavedWarning } from '../../ui/unsavedWarning';
import { type StoredValue, useFormState } from '../../ui/useFormState';
import type { Tag } from './tag';

const storedOf = (tag: TagHeadFragment): StoredValue<AutoTagValues> => ({
  value: {
    name: tag.name,
    tagType: tag.tagType,
    description: tag.description,
    allowedValues: tag.allowedValues.join('\n'),
    minConfidence: String(tag.minConfidence),
    enabled: tag.enabled,
  },
  updatedAt: tag.updatedAt,
});

const isSame = (a: AutoTagValues, b: AutoTagValues) =>
  JSON.stringify(autoTagInput(a)) === JSON.stringify(autoTagInput(b));

/** The definition of the auto-tag; what is found already stays as it is. */
export function Definition({ tag, mayWrite }: { tag: Tag; mayWrite: boolean | undefined }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const form = useFormState(storedOf(tag), isSame);
  const [{ fetching, error }, update] = useMutation(UpdateAutoTagDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await update({ input: { autoTagId: tag.id, ...autoTagInput(form.value) } });
    if (data?.updateAutoTag) {
      form.setBase(storedOf(data.updateAutoTag.autoTag));
      notify(t('drafts.stored'));
    }
  };
  return (
    <Panel title={t('tags.definition')}>
      <UnsavedWarning isUnsaved={form.isChanged} />
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack p="md" gap="sm">
          <AutoTagFields
            values={form.value}
            change={(changed) => form.change((before) => ({ ...before, ...changed }))}
            error={error}
            isReadOnly={!mayWrite}
          />
          <Group>
            <GuardedButton
              allowed={mayWrite && form.isChanged}
              reason={mayWrite ? 'filters.unchanged' : 'guard.write'}
              type="submit"
              size="xs"
              loading={fetching}
            >
              {t('action.save')}
            </GuardedButton>
          </Group>
          <RefusalAlert error={error} fields={autoTagFieldNames} />
        </Stack>
      </form>
    </Panel>
  );
}
