import {
  Badge,
  Button,
  Collapse,
  Group,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Textarea,
} from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { useLocation, useSearchParams } from 'wouter';
import {
  CreatePersonaDocument,
  PersonasDocument,
  type PersonasQuery,
} from '../../graph/personas/graphql';
import { useTranslator } from '../../i18n';
import { useMayWrite } from '../../liveUpdates';
import { fieldProblem } from '../../problemText';
import { withParameter } from '../../ui/address';
import { GuardedButton } from '../../ui/guardedButton';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { RefusalAlert } from '../../ui/refusalAlert';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';

type Row = NonNullable<PersonasQuery['personas']>['nodes'][number];

/** The personas of the workspace as cards. */
export default function Personas() {
  const { t } = useTranslator();
  const [search, setSearch] = useSearchParams();
  const adding = search.has('add');
  const result = useScreen(PersonasDocument, { after: usePageCursor() });
  const mayWrite = useMayWrite();
  return (
    <Screen
      title={t('nav.personas')}
      lead={t('personas.lead')}
      result={result}
      actions={
        <GuardedButton
          allowed={mayWrite}
          leftSection={<IconPlus size={16} aria-hidden />}
          aria-expanded={adding}
          onClick={() =>
            setSearch((before) => withParameter(before, 'add', ...(adding ? [] : [''])))
          }
        >
          {t('personas.add')}
        </GuardedButton>
      }
    >
      {(data) => (
        <>
          <Collapse expanded={adding && mayWrite === true}>
            <PersonaForm />
          </Collapse>
          {data.personas?.nodes.length === 0 ? (
            <div className="panel">
              <EmptyPage title={t('personas.none')} hint={t('personas.noneHint')} />
            </div>
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg">
              {data.personas?.nodes.map((persona) => (
                <PersonaCard key={persona.id} persona={persona} />
              ))}
            </SimpleGrid>
          )}
          <PageLinks page={data.personas?.pageInfo} />
        </>
      )}
    </Screen>
  );
}

function PersonaCard({ persona }: { persona: Row }) {
  const { t, name } = useTranslator();
  return (
    <article className="panel card">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <ScreenLink to={`/personas/${persona.id}`} className="row-link">
          {persona.name}
        </ScreenLink>
        <Badge variant="light" color="gray" tt="none">
          {persona.category}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed" lineClamp={3} style={{ flex: 1 }} dir="auto">
        {persona.description}
      </Text>
      <Group gap="xs">
        <Text size="xs" c="dimmed">
          {t('document.reactions', { count: persona.reactions?.totalCount ?? 0 })} ·{' '}
          {t('persona.talks', { count: persona.interactions?.totalCount ?? 0 })}
        </Text>
        {persona.healthState.status !== 'UNMEASURED' && (
          <Badge
            size="xs"
            variant="light"
            color={persona.healthState.status === 'HEALTHY' ? 'green' : 'orange'}
          >
            {name('health', persona.healthState.status)}
          </Badge>
        )}
        {!persona.isActive && <Badge size="xs">{t('persona.inactive')}</Badge>}
      </Group>
    </article>
  );
}

const fields = ['name', 'category', 'description', 'interests', 'concerns'] as const;

function PersonaForm() {
  const { t } = useTranslator();
  const [, navigate] = useLocation();
  const [values, setValues] = useState<Partial<Record<(typeof fields)[number], string>>>({});
  const [{ fetching, error }, create] = useMutation(CreatePersonaDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({
      input: { ...values, name: values.name ?? '', category: values.category || undefined },
    });
    if (data?.createPersona) {
      navigate(`/personas/${data.createPersona.persona.id}`);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="panel card" noValidate>
      <Stack gap="sm">
        {fields.map((field) => {
          const Input = field === 'name' || field === 'category' ? TextInput : Textarea;
          return (
            <Input
              key={field}
              label={t(`persona.${field}`)}
              required={field === 'name'}
              value={values[field] ?? ''}
              onChange={(event: { currentTarget: { value: string } }) => {
                const { value } = event.currentTarget;
                setValues((before) => ({ ...before, [field]: value }));
              }}
              error={fieldProblem(error, field)}
            />
          );
        })}
        <RefusalAlert error={error} fields={fields} />
        <Group>
          <Button type="submit" loading={fetching}>
            {t('action.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
