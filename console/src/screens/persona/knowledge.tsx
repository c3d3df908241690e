import { ActionIcon, Group, Stack, Switch, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import {
  type PersonaScreenQuery,
  RemoveRefinementDocument,
  SetReadingDocument,
} from '../../graph/persona/graphql';
import { useTranslator } from '../../i18n';
import { passageAddress } from '../../ui/address';
import { Panel } from '../../ui/panel';
import { EmptyState } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';
import type { PersonaDetails } from './persona';

interface PartProps {
  readonly persona: PersonaDetails;
  readonly mayWrite: boolean | undefined;
}

/** What a persona knows: statements with passages, writing samples, and lessons of feedback. */
export function Knowledge({ persona, mayWrite }: PartProps) {
  const { t } = useTranslator();
  const refinements = persona.refinements ?? [];
  const samples = persona.writingSamples ?? [];
  const isEmpty = persona.groundedStatements.length + refinements.length + samples.length === 0;
  return (
    <Panel title={t('persona.knows')}>
      {isEmpty && <EmptyState title={t('persona.knowsNothing')} hint={t('persona.knowsHint')} />}
      <ul className="rows">
        {persona.groundedStatements.map((one) => (
          <Grounded key={one.statement} statement={one} />
        ))}
        {samples.map((sample) => (
          <li key={sample.id}>
            <Text size="xs" c="dimmed">
              {t('persona.sample')}
            </Text>
            <ScreenLink to={`/documents/${sample.id}`}>{sample.title}</ScreenLink>
          </li>
        ))}
        {refinements.map((refinement) => (
          <Lesson
            key={refinement.id}
            persona={persona}
            refinement={refinement}
            mayWrite={mayWrite}
          />
        ))}
      </ul>
    </Panel>
  );
}

function Grounded({
  statement: { statement, quote, start, end, document },
}: {
  statement: PersonaDetails['groundedStatements'][number];
}) {
  return (
    <li>
      <Text size="sm" dir="auto">
        {statement}
      </Text>
      {document && (
        <Text size="sm" component="div">
          <ScreenLink
            to={passageAddress({ documentId: document.id, findingId: 'quote', start, end })}
          >
            “{quote}”
          </ScreenLink>
          <Text size="xs" c="dimmed" dir="auto">
            {document.title}
          </Text>
        </Text>
      )}
    </li>
  );
}

function Lesson({
  persona,
  refinement,
  mayWrite,
}: PartProps & { refinement: NonNullable<PersonaDetails['refinements']>[number] }) {
  const { t } = useTranslator();
  const remove = useAction(RemoveRefinementDocument);
  return (
    <li>
      <Text size="xs" c="dimmed">
        {t('persona.lesson')}
      </Text>
      <Group wrap="nowrap" justify="space-between">
        <Text size="sm" dir="auto">
          {refinement.instruction}
        </Text>
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
  );
}

/** What a persona may know: the documents that it may be given, by their visibility. */
export function Reading({ persona, data, mayWrite }: PartProps & { data: PersonaScreenQuery }) {
  const { t } = useTranslator();
  const reading = useAction(SetReadingDocument);
  const rows = [
    ['public', data.publicDocuments?.totalCount ?? 0, true],
    ['internal', data.internalDocuments?.totalCount ?? 0, persona.mayReadInternal],
  ] as const;
  return (
    <Panel title={t('persona.mayKnow')}>
      <Stack p="md" gap="sm">
        {rows.map(([kind, count, open]) => (
          <Group key={kind} justify="space-between" wrap="nowrap">
            <Text size="sm">{t(`persona.${kind}Documents`, { count })}</Text>
            <Text size="sm" c={open ? undefined : 'dimmed'}>
              {open ? t('persona.given') : t('persona.withheld')}
            </Text>
          </Group>
        ))}
        <Switch
          label={t('persona.internal')}
          description={mayWrite === false ? t('guard.write') : t('persona.internalHint')}
          checked={persona.mayReadInternal}
          disabled={!mayWrite || reading.fetching}
          onChange={(event) =>
            void reading.run({
              personaId: persona.id,
              mayReadInternal: event.currentTarget.checked,
            })
          }
        />
      </Stack>
    </Panel>
  );
}
