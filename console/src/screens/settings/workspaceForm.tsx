import { Button, Group, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { UpdateWorkspaceDocument, type Visibility } from '../../graph/settings/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';

interface Settings {
  readonly name: string;
  readonly marketLanguage: string;
  readonly defaultVisibility: Visibility;
  readonly requiredHouseScore?: number | null;
}

/** The workspace's name, the language of its market, who may know its new documents, and the score that drafts need. Mount it anew when these change. */
export function WorkspaceForm({ stored }: { stored: Settings }) {
  const { t, name: nameOf } = useTranslator();
  const notify = useNotice();
  const [name, setName] = useState(stored.name);
  const [marketLanguage, setLanguage] = useState(stored.marketLanguage);
  const [defaultVisibility, setVisibility] = useState(stored.defaultVisibility);
  const [score, setScore] = useState<number | string>(stored.requiredHouseScore ?? '');
  const [{ fetching, error }, update] = useMutation(UpdateWorkspaceDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const requiredHouseScore = typeof score === 'number' ? score : null;
    const { data } = await update({
      input: { name, marketLanguage, defaultVisibility, requiredHouseScore },
    });
    if (data?.updateWorkspace) {
      notify(t('settings.saved'));
    }
  };
  return (
    <Panel title={t('settings.workspace')}>
      <form onSubmit={(event) => void submit(event)} noValidate style={{ padding: '1rem' }}>
        <Group align="flex-end">
          <TextInput
            label={t('settings.name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={fieldProblem(error, 'name')}
            style={{ flex: '2 1 14rem' }}
          />
          <TextInput
            label={t('settings.language')}
            value={marketLanguage}
            onChange={(event) => setLanguage(event.currentTarget.value)}
            error={fieldProblem(error, 'marketLanguage')}
            style={{ flex: '1 1 12rem' }}
          />
          <NativeSelect
            label={t('settings.defaultVisibility')}
            data={(['PUBLIC', 'INTERNAL'] as const).map((value) => ({
              value,
              label: nameOf('visibility', value),
            }))}
            value={defaultVisibility}
            onChange={(event) => setVisibility(event.currentTarget.value as Visibility)}
            error={fieldProblem(error, 'defaultVisibility')}
            style={{ flex: '1 1 10rem' }}
          />
          <NumberInput
            label={t('settings.houseScore')}
            placeholder={t('settings.houseScoreNone')}
            min={0}
            max={100}
            allowDecimal={false}
            value={score}
            onChange={setScore}
            error={fieldProblem(error, 'requiredHouseScore')}
            style={{ flex: '1 1 10rem' }}
          />
          <Button type="submit" loading={fetching}>
            {t('action.save')}
          </Button>
        </Group>
        <RefusalAlert
          error={error}
          fields={['name', 'marketLanguage', 'defaultVisibility', 'requiredHouseScore']}
        />
      </form>
    </Panel>
  );
}
