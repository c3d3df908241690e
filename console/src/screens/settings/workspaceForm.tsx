import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
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
}

/** The workspace's name, the language of its market, and who may know its new documents. Mount it anew when these change. */
export function WorkspaceForm({ stored }: { stored: Settings }) {
  const { t, name: nameOf } = useTranslator();
  const notify = useNotice();
  const [name, setName] = useState(stored.name);
  const [marketLanguage, setLanguage] = useState(stored.marketLanguage);
  const [defaultVisibility, setVisibility] = useState(stored.defaultVisibility);
  const [{ fetching, error }, update] = useMutation(UpdateWorkspaceDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await update({ input: { name, marketLanguage, defaultVisibility } });
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
          <Button type="submit" loading={fetching}>
            {t('action.save')}
          </Button>
        </Group>
        <RefusalAlert error={error} fields={['name', 'marketLanguage', 'defaultVisibility']} />
      </form>
    </Panel>
  );
}
