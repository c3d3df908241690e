import { ActionIcon, Badge, Button, Group, Progress, Stack, Switch, Text } from '@mantine/core';
import { IconActivity, IconX } from '@tabler/icons-react';
import { useParams } from 'wouter';
import { MeasureHealthDocument, PersonaScreenDocument, type PersonaScreenQuery, RemoveRefinementDocument, SetReadingDocument } from '../graph/persona/graphql';
import { useTranslator } from '../i18n';
import { useAction } from '../ui/action';
import { ScreenLink } from '../ui/link';
import { useNotice } from '../ui/notice';
import { Panel } from '../ui/panel';
import { Sentiment } from '../ui/rating';
import { EmptyState, Screen, useScreen } from '../ui/screen';
import { Chat } from './chat';

export type Found = NonNullable<PersonaScreenQuery['persona']>;

/** A persona: a conversation with it, what it knows, and how reliable it is. */
export default function PersonaPage() {
  const { t } = useTranslator();
  const { id = '' } = useParams();
  const result = useScreen(PersonaScreenDocument, { id });
  const persona = result.data?.persona;
  const mayWrite = result.data?.viewer?.scopes.includes('WRITE') ?? false;
  const known = { ...result, data: result.data && !persona ? undefined : result.data };
  return (
    <Screen title={persona?.name ?? t('nav.personas')} lead={persona && (persona.group?.displayName ?? persona.category)} result={known}>
      {() =>
        persona && (
          <div className="with-aside aside-end">
            <Chat persona={persona} mayWrite={mayWrite} />
            <Stack gap="lg" component="aside" aria-label={t('persona.about')}>
              <About persona={persona} mayWrite={mayWrite} />
              <Health persona={persona} mayWrite={mayWrite} />
              <Knowledge persona={persona} mayWrite={mayWrite} />
              <Reactions persona={persona} />
            </Stack>
          </div>
        )
      }
    </Screen>
  );
}

interface PartProps {
  readonly persona: Found;
  readonly mayWrite: boolean;
}

function About({ persona, mayWrite }: PartProps) {
  const { t } = useTranslator();
  const reading = useAction(SetReadingDocument);
  const rows = (['description', 'interests', 'concerns'] as const).filter((field) => persona[field]);
  return (
    <Panel title={t('persona.about')}>
      <Stack gap="sm" p="md">
        {rows.map((field) => (
          <div key={field}>
            <Text size="xs" c="dimmed" fw={600}>
              {t(`persona.${field}`)}
            </Text>
            <Text size="sm">{persona[field]}</Text>
          </div>
        ))}
        <Switch
          label={t('persona.internal')}
          description={t('persona.internalHint')}
          checked={persona.mayReadInternal}
          disabled={!mayWrite || reading.fetching}
          onChange={(event) => void reading.run({ personaId: persona.id, mayReadInternal: event.currentTarget.checked })}
        />
      </Stack>
    </Panel>
  );
}

const measures = ['adherence', 'consistency', 'spread', 'positivity', 'groundedShare'] as const;

function Health({ persona, mayWrite }: PartProps) {
  const { t, name, percent, ago } = useTranslator();
  const notify = useNotice();
  const check = useAction(MeasureHealthDocument);
  const health = persona.healthState;
  const start = async () => {
    if (await check.run({ personaId: persona.id })) {
      notify(t('persona.measuring'));
    }
  };
  return (
    <Panel
      title={t('persona.health')}
      actions={
        <Badge variant="light" color={health.status === 'HEALTHY' ? 'green' : health.status === 'FLAGGED' ? 'orange' : 'gray'}>
          {name('health', health.status)}
        </Badge>
      }
    >
      <Stack gap="xs" p="md">
        {measures.map((measure) => {
          const value = health[measure];
          return (
            value != null && (
              <div key={measure}>
                <Group justify="space-between">
                  <Text size="sm">{t(`health.${measure}`)}</Text>
                  <Text size="sm" c="dimmed">
                    {percent(value)}
                  </Text>
                </Group>
                <Progress value={100 * value} size="sm" aria-label={t(`health.${measure}`)} />
              </div>
            )
          );
        })}
        {health.flags.map((flag) => (
          <Text size="sm" key={flag} c="orange">
            {flag}
          </Text>
        ))}
        <Text size="xs" c="dimmed">
          {health.measuredAt ? t('persona.measured', { count: health.probes, when: ago(health.measuredAt) }) : t('persona.unmeasured')}
        </Text>
        {mayWrite && (
          <Button size="xs" variant="light" leftSection={<IconActivity size={14} aria-hidden />} loading={check.fetching} onClick={() => void start()}>
            {t('persona.measure')}
          </Button>
        )}
      </Stack>
    </Panel>
  );
}

function Knowledge({ persona, mayWrite }: PartProps) {
  const { t } = useTranslator();
  const remove = useAction(RemoveRefinementDocument);
  const refinements = persona.refinements ?? [];
  const isEmpty = persona.groundedStatements.length + refinements.length + (persona.writingSamples?.length ?? 0) === 0;
  return (
    <Panel title={t('persona.knows')}>
      {isEmpty && <EmptyState title={t('persona.knowsNothing')} hint={t('persona.knowsHint')} />}
      <ul className="rows">
        {persona.groundedStatements.map((one) => (
          <li key={one.statement}>
            <Text size="sm">{one.statement}</Text>
            {one.document && <ScreenLink to={`/documents/${one.document.id}`}>{one.document.title}</ScreenLink>}
          </li>
        ))}
        {persona.writingSamples?.map((sample) => (
          <li key={sample.id}>
            <ScreenLink to={`/documents/${sample.id}`}>{sample.title}</ScreenLink>
          </li>
        ))}
        {refinements.map((refinement) => (
          <li key={refinement.id}>
            <Group wrap="nowrap" justify="space-between">
              <Text size="sm">{refinement.instruction}</Text>
              {mayWrite && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('persona.removeRefinement', { text: refinement.instruction })}
                  onClick={() => void remove.run({ personaId: persona.id, refinementId: refinement.id })}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              )}
            </Group>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Reactions({ persona }: { persona: Found }) {
  const { t } = useTranslator();
  const reactions = persona.reactions?.nodes ?? [];
  return (
    <Panel title={t('document.reactionsTitle')} actions={<Badge variant="light">{persona.reactions?.totalCount ?? 0}</Badge>}>
      {reactions.length === 0 ? (
        <EmptyState title={t('persona.noReactions')} />
      ) : (
        <ul className="rows">
          {reactions.map((reaction) => (
            <li key={reaction.id}>
              <Group justify="space-between" wrap="nowrap" align="flex-start">
                {reaction.document ? (
                  <ScreenLink to={`/documents/${reaction.document.id}?at=${reaction.id}`} className="row-link">
                    {reaction.document.title}
                  </ScreenLink>
                ) : (
                  <span />
                )}
                <Sentiment value={reaction.sentiment} rating={reaction.rating} />
              </Group>
              <Text size="sm" c="dimmed" lineClamp={3}>
                {reaction.text}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
