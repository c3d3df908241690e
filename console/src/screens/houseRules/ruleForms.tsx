import { Group, NativeSelect, Stack, TextInput, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import {
  CreateHouseRuleDocument,
  type HouseRuleRowFragment,
  UpdateHouseRuleDocument,
} from '../../graph/houseRules/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { type RuleFields, ruleSource } from './ruleSource';

const forms = ['banned', 'preferred', 'required', 'capitals', 'yaml'] as const;
type Form = (typeof forms)[number];

const emptyFields: RuleFields = {
  form: 'banned',
  name: '',
  level: 'warning',
  words: '',
  preferred: '',
  match: '$sentence',
};

interface NewRuleProps {
  readonly mayEdit: boolean | undefined;
  readonly reload: () => void;
}

/** Adds a rule, by a simple form or as YAML. */
export function NewRule({ mayEdit, reload }: NewRuleProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [form, setForm] = useState<Form>('banned');
  const [fields, setFields] = useState(emptyFields);
  const [yaml, setYaml] = useState('');
  const [{ fetching, error }, create] = useMutation(CreateHouseRuleDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const source =
      form === 'yaml' ? yaml : ruleSource({ ...fields, form }, t(`house.message.${form}`));
    const { data } = await create({ input: { source } });
    if (data?.createHouseRule) {
      notify(t('house.added'));
      setFields(emptyFields);
      setYaml('');
      reload();
    }
  };
  const sourceProblem = fieldProblem(error, 'source');
  return (
    <Panel title={t('house.add')}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack p="md" gap="sm">
          <NativeSelect
            label={t('house.form')}
            data={forms.map((value) => ({ value, label: t(`house.form.${value}`) }))}
            value={form}
            onChange={(event) => setForm(event.currentTarget.value as Form)}
          />
          {form === 'yaml' ? (
            <SourceField value={yaml} change={setYaml} error={sourceProblem} />
          ) : (
            <SimpleFields form={form} fields={fields} change={setFields} error={sourceProblem} />
          )}
          <RefusalAlert error={error} fields={['source']} />
          <Group>
            <GuardedButton allowed={mayEdit} type="submit" loading={fetching}>
              {t('house.add')}
            </GuardedButton>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

interface SimpleProps {
  readonly form: RuleFields['form'];
  readonly fields: RuleFields;
  readonly change: (fields: RuleFields) => void;
  readonly error: string | undefined;
}

function SimpleFields({ form, fields, change, error }: SimpleProps) {
  const { t, name: nameOf } = useTranslator();
  const set = (part: Partial<RuleFields>) => change({ ...fields, ...part });
  return (
    <>
      <TextInput
        label={t('house.name')}
        value={fields.name}
        maxLength={200}
        error={error}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      {(form === 'banned' || form === 'preferred') && (
        <Textarea
          label={t('house.words')}
          description={t('house.wordsHint')}
          autosize
          minRows={2}
          value={fields.words}
          onChange={(event) => set({ words: event.currentTarget.value })}
        />
      )}
      {form === 'preferred' && (
        <TextInput
          label={t('house.preferred')}
          value={fields.preferred}
          onChange={(event) => set({ preferred: event.currentTarget.value })}
        />
      )}
      {form === 'required' && (
        <TextInput
          label={t('house.phrase')}
          value={fields.words}
          onChange={(event) => set({ words: event.currentTarget.value })}
        />
      )}
      {form === 'capitals' && (
        <NativeSelect
          label={t('house.match')}
          data={[
            { value: '$sentence', label: t('house.match.sentence') },
            { value: '$title', label: t('house.match.title') },
          ]}
          value={fields.match}
          onChange={(event) => set({ match: event.currentTarget.value as RuleFields['match'] })}
        />
      )}
      <NativeSelect
        label={t('house.level')}
        data={(['suggestion', 'warning', 'error'] as const).map((value) => ({
          value,
          label: nameOf('houseLevel', value.toUpperCase()),
        }))}
        value={fields.level}
        onChange={(event) => set({ level: event.currentTarget.value as RuleFields['level'] })}
      />
    </>
  );
}

interface SourceProps {
  readonly value: string;
  readonly change: (value: string) => void;
  readonly error: string | undefined;
}

function SourceField({ value, change, error }: SourceProps) {
  const { t } = useTranslator();
  return (
    <Textarea
      label={t('house.source')}
      description={t('house.sourceHint')}
      autosize
      minRows={6}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      value={value}
      error={error}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

/** Changes a rule as YAML. */
export function SourceForm({ rule, close }: { rule: HouseRuleRowFragment; close: () => void }) {
  const { t } = useTranslator();
  const [source, setSource] = useState(rule.source);
  const [{ fetching, error }, update] = useMutation(UpdateHouseRuleDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await update({ input: { houseRuleId: rule.id, source } });
    if (data?.updateHouseRule) {
      close();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="xs" mt={4}>
        <SourceField value={source} change={setSource} error={fieldProblem(error, 'source')} />
        <RefusalAlert error={error} fields={['source']} />
        <Group gap="xs">
          <GuardedButton allowed type="submit" size="xs" loading={fetching}>
            {t('action.save')}
          </GuardedButton>
          <GuardedButton allowed size="xs" variant="subtle" onClick={close}>
            {t('action.cancel')}
          </GuardedButton>
        </Group>
      </Stack>
    </form>
  );
}
