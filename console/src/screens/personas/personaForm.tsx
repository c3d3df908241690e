import { Alert, Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { CreatePersonaDocument, DraftPersonaDocument } from '../../graph/personas/graphql';
import { useTranslator } from '../../i18n';
import { useHasModel } from '../../liveUpdates';
import { ModelHint } from '../../ui/modelHint';
import {
  PersonaFields,
  changedFields,
  isSamePersona,
  newPersona,
  textFields,
} from '../../ui/personaFields';
import { RefusalAlert } from '../../ui/refusalAlert';
import { UnsavedWarning } from '../../ui/unsavedWarning';
import { discardUnsaved } from '../../unsavedChanges';

/** Creates a persona. A text model can draft the fields that are empty. */
export function PersonaForm() {
  const { t } = useTranslator();
  const hasModel = useHasModel();
  const [, navigate] = useLocation();
  const [value, setValue] = useState(newPersona);
  const [draftedByModel, setDrafted] = useState(false);
  const [{ fetching, error }, create] = useMutation(CreatePersonaDocument);
  const [drafting, draft] = useMutation(DraftPersonaDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const input = { ...changedFields(value, newPersona), name: value.name, draftedByModel };
    const { data } = await create({ input });
    if (data?.createPersona) {
      discardUnsaved();
      navigate(`/personas/${data.createPersona.persona.id}`);
    }
  };
  const fill = async () => {
    const { name, category, description, interests, concerns, communicationStyle, tone } = value;
    const given = { category, description, interests, concerns, communicationStyle, tone };
    const { data } = await draft({ input: { name, ...given, category: category || undefined } });
    if (data?.draftPersona) {
      const { persona, generatedFields } = data.draftPersona;
      setValue((before) => ({ ...before, ...persona }));
      setDrafted((before) => before || generatedFields.length > 0);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="panel card" noValidate>
      <UnsavedWarning isUnsaved={!isSamePersona(value, newPersona)} />
      <Stack gap="sm">
        <PersonaFields
          value={value}
          change={(change) => setValue((before) => ({ ...before, ...change }))}
          error={error ?? drafting.error}
        />
        <RefusalAlert error={error ?? drafting.error} fields={textFields} />
        {drafting.data?.draftPersona?.warning && (
          <Alert color="orange">{drafting.data.draftPersona.warning}</Alert>
        )}
        {draftedByModel && <Alert color="orange">{t('persona.draftedHint')}</Alert>}
        <Group>
          <Button type="submit" loading={fetching}>
            {t('action.save')}
          </Button>
          <Button
            variant="default"
            loading={drafting.fetching}
            disabled={hasModel !== true || value.name === ''}
            onClick={() => void fill()}
          >
            {t('personas.draft')}
          </Button>
          <ModelHint message="model.noPersonaDraft" />
        </Group>
      </Stack>
    </form>
  );
}
