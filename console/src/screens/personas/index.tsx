import { Badge, Collapse, Group, SimpleGrid, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useSearchParams } from 'wouter';
import { PersonasDocument, type PersonasQuery } from '../../graph/personas/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { withParameter } from '../../ui/address';
import { GuardedButton } from '../../ui/guardedButton';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { PersonaForm } from './personaForm';

type Row = NonNullable<PersonasQuery['personas']>['nodes'][number];

/** The personas of the workspace as cards. */
export default function Personas() {
  const { t } = useTranslator();
  const [search, setSearch] = useSearchParams();
  const adding = search.has('add');
  const result = useScreen(PersonasDocument, { after: usePageCursor() });
  const mayWrite = useMay('EDIT');
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
        {persona.draftedByModel && (
          <Badge size="xs" variant="light" color="orange">
            {t('persona.drafted')}
          </Badge>
        )}
        {!persona.isActive && <Badge size="xs">{t('persona.inactive')}</Badge>}
      </Group>
    </article>
  );
}
