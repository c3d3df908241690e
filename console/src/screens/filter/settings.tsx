import { Checkbox, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useMutation } from 'urql';
import { UpdateFilterDocument } from '../../graph/filter/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { ScreenLink } from '../../ui/screenLink';
import { UnsavedWarning } from '../../ui/unsavedWarning';
import { useFormState } from '../../ui/useFormState';
import { type Filter, isManual } from './filter';

interface SettingsValues {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly values: readonly string[];
}

const valuesOf = ({ name, description, enabled, values }: SettingsValues): SettingsValues => ({
  name,
  description,
  enabled,
  values,
});

const isSame = (a: SettingsValues, b: SettingsValues) =>
  a.name === b.name &&
  a.description === b.description &&
  a.enabled === b.enabled &&
  a.values.toSorted().join('\n') === b.values.toSorted().join('\n');

const fields = ['name', 'description', 'values'] as const;

/** The settings of a filter. Name and description of a linked auto-tag are changed at the auto-tag. */
export function Settings({ filter, mayWrite }: { filter: Filter; mayWrite: boolean | undefined }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const form = useFormState({ value: valuesOf(filter), updatedAt: '' }, isSame);
  const [{ fetching, error }, update] = useMutation(UpdateFilterDocument);
  const { value } = form;
  const change = (changed: Partial<SettingsValues>) =>
    form.change((before) => ({ ...before, ...changed }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { name, description, enabled, values } = value;
    const own = isManual(filter) ? { name, description } : { values: [...values] };
    const { data } = await update({ input: { tagId: filter.autoTagId, enabled, ...own } });
    if (data?.updateFilterTag) {
      form.setBase({ value: valuesOf(data.updateFilterTag.tag), updatedAt: '' });
      notify(t('drafts.stored'));
    }
  };
  return (
    <Panel title={t('filters.settings')}>
      <UnsavedWarning isUnsaved={form.isChanged} />
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack p="md" gap="sm">
          <Switch
            label={t('filters.enabled')}
            checked={value.enabled}
            disabled={!mayWrite}
            onChange={(event) => change({ enabled: event.currentTarget.checked })}
          />
          {isManual(filter) ? (
            <>
              <TextInput
                label={t('tags.name')}
                value={value.name}
                readOnly={!mayWrite}
                onChange={(event) => change({ name: event.currentTarget.value })}
                error={fieldProblem(error, 'name')}
              />
              <Textarea
                label={t('filters.description')}
                value={value.description}
                readOnly={!mayWrite}
                autosize
                minRows={2}
                onChange={(event) => change({ description: event.currentTarget.value })}
                error={fieldProblem(error, 'description')}
              />
            </>
          ) : (
            <HidingValues
              filter={filter}
              chosen={value.values}
              disabled={!mayWrite}
              choose={(values) => change({ values })}
            />
          )}
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
          <RefusalAlert error={error} fields={fields} />
        </Stack>
      </form>
    </Panel>
  );
}

interface HidingValuesProps {
  readonly filter: Filter;
  readonly chosen: readonly string[];
  readonly disabled: boolean;
  readonly choose: (values: string[]) => void;
}

/** Which values of the linked auto-tag hide a document; every value does if none is chosen. */
function HidingValues({ filter, chosen, disabled, choose }: HidingValuesProps) {
  const { t } = useTranslator();
  const tag = filter.autoTag;
  const all = [
    ...new Set([
      ...filter.values,
      ...(tag?.allowedValues ?? []),
      ...(tag?.values?.nodes.map(({ value }) => value) ?? []),
    ]),
  ];
  return (
    <>
      {tag && (
        <Text size="sm">
          <ScreenLink to={`/filters/tags/${tag.id}`}>{t('filters.ofTag')}</ScreenLink>
        </Text>
      )}
      <Checkbox.Group
        label={t('filters.values')}
        description={all.length === 0 ? t('filters.noValues') : t('filters.valuesHint')}
        value={[...chosen]}
        onChange={choose}
      >
        <Stack gap={6} mt="xs">
          {all.map((value) => (
            <Checkbox key={value} value={value} label={value} disabled={disabled} />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  );
}
