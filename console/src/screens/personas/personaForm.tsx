import { Alert, Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { useLocation, useSearchParams } from 'wouter';
import {
  CreatePersonaDocument,
  DraftPersonaDocument,
  PersonaToCopyDocument,
} from '../../graph/personas/graphql';
import { useTranslator } from '../../i18n';
import { useHasModel } from '../../liveUpdates';
import { ModelHint } from '../../ui/modelHint';
import {
  PersonaFields,
  type PersonaValue,
  changedFields,
  isSamePersona,
  newPersona,
  textFields,
} from '../../ui/personaFields';
import { RefusalAlert } from '../../ui/refusalAlert';
import { LoadingState } from '../../ui/screen';
import { UnsavedWarning } from '../../ui/unsavedWarning';
import { discardUnsaved } from '../../unsavedChanges';
import { BuildPersona } from './buildPersona';

/** Creates a persona, which the address may say is a copy of another or learns from documents. */
export function PersonaForm() {
  const { t } = useTranslator();
  const [search] = useSearchParams();
  const from = search.get('from') ?? '';
  const [{ data, fetching }] = useQuery({
    query: PersonaToCopyDocument,
    variables: { id: from },
    pause: !from,
  });
  const copied = data?.persona;
  if (from && fetching) {
    return <LoadingState />;
  }
  const initial = copied
    ? { ...copied, name: t('personas.copyOf', { name: copied.name }) }
    : newPersona;
  return <NewPersona key={from} initial={initial} documents={search.getAll('document')} />;
}

interface NewProps {
  readonly initial: PersonaValue;
  /** The documents that it is built from. */
  readonly documents: readonly string[];
}

/** The fields of a new persona. A text model can draft those that are empty. */
function NewPersona({ initial, documents }: NewProps) {
  const { t } = useTranslator();
  const hasModel = useHasModel();
  const [, navigate] = useLocation();
  const [value, setValue] = useState(initial);
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
      <UnsavedWarning isUnsaved={!isSamePersona(value, initial)} />
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
        <BuildPersona value={value} documents={documents} />
      </Stack>
    </form>
  );
}
