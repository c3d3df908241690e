import { Badge, Progress, Stack, Table, Text } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { useState } from 'react';
import { useSubscription } from 'urql';
import { MeasureHealthDocument, WatchHealthDocument } from '../../graph/persona/graphql';
import { useTranslator } from '../../i18n';
import { useHasModel } from '../../liveUpdates';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { ModelHint } from '../../ui/modelHint';
import { Panel } from '../../ui/panel';
import { RatingColumns } from '../../ui/ratingColumns';
import { EmptyState } from '../../ui/screen';
import { useAction } from '../../ui/useAction';
import type { PersonaDetails } from './persona';
import { RatingPairs, RatingTimes } from './ratingPlots';

/** The measures of a persona's health, each with the gateway's flag for a value out of bounds. */
const measures = [
  ['adherence', 'OFF_TOPIC'],
  ['consistency', 'INCONSISTENT'],
  ['spread', 'FLAT'],
  ['positivity', 'ALWAYS_POSITIVE'],
  ['groundedShare', 'UNGROUNDED'],
] as const;

/** The health of a persona by its last probes, as bars on one scale. */
export function Health({
  persona,
  mayWrite,
}: {
  persona: PersonaDetails;
  mayWrite: boolean | undefined;
}) {
  const { t, name, ago } = useTranslator();
  const notify = useNotice();
  const hasModel = useHasModel();
  const check = useAction(MeasureHealthDocument);
  const [jobId, setJobId] = useState('');
  const [{ data }] = useSubscription({
    query: WatchHealthDocument,
    variables: { jobId },
    pause: !jobId,
  });
  const job = jobId ? data?.jobProgress.job : undefined;
  const health = persona.healthState;
  const start = async () => {
    const started = await check.run({ personaId: persona.id });
    if (started?.startPersonaHealthCheck) {
      setJobId(started.startPersonaHealthCheck.job.id);
      notify(t('persona.measuring'));
    }
  };
  return (
    <Panel
      title={t('persona.health')}
      actions={
        <Badge
          variant="light"
          color={
            health.status === 'HEALTHY' ? 'green' : health.status === 'FLAGGED' ? 'orange' : 'gray'
          }
        >
          {name('health', health.status)}
        </Badge>
      }
    >
      <Stack gap="sm" p="md">
        {health.measuredAt ? (
          <Measures health={health} />
        ) : (
          <EmptyState title={t('persona.unmeasured')} hint={t('persona.unmeasuredHint')} />
        )}
        {health.measuredAt && (
          <Text size="xs" c="dimmed">
            {t('persona.measured', { count: health.probes, when: ago(health.measuredAt) })}
          </Text>
        )}
        {job && !job.completedAt && (
          <Progress
            value={job.progress}
            size="sm"
            aria-label={t('job.progressOf', { kind: t('persona.health') })}
          />
        )}
        {job?.errorMessage && (
          <Text size="sm" c="red" role="alert">
            {job.errorMessage}
          </Text>
        )}
        <ModelHint message="model.needed" />
        <GuardedButton
          allowed={mayWrite && hasModel !== false}
          reason={mayWrite ? 'model.needed' : 'guard.write'}
          size="xs"
          variant="light"
          leftSection={<IconActivity size={14} aria-hidden />}
          loading={check.fetching}
          onClick={() => void start()}
        >
          {t('persona.measure')}
        </GuardedButton>
      </Stack>
    </Panel>
  );
}

function Measures({ health }: { health: PersonaDetails['healthState'] }) {
  const { t, name, percent } = useTranslator();
  return (
    <Table verticalSpacing={6} horizontalSpacing={0} withRowBorders={false}>
      <Table.Caption>
        <span className="scale" aria-hidden>
          <span>{percent(0)}</span>
          <span>{percent(0.5)}</span>
          <span>{percent(1)}</span>
        </span>
      </Table.Caption>
      <Table.Tbody>
        {measures.map(([measure, flag]) => {
          const value = health[measure];
          const flagged = health.flags.includes(flag);
          return (
            <Table.Tr key={measure} data-measure={measure}>
              <Table.Td>
                <div className="measure">
                  <Text size="sm" component="span">
                    {t(`health.${measure}`)}
                  </Text>
                  <Text size="sm" c="dimmed" component="span">
                    {value == null ? '—' : percent(value)}
                  </Text>
                </div>
                <div className="bar" aria-hidden>
                  {value != null && (
                    <div
                      className="bar-value"
                      data-flagged={flagged || undefined}
                      style={{ inlineSize: `${100 * value}%` }}
                    />
                  )}
                </div>
                {flagged && (
                  <Text size="xs" className="flagged">
                    {name('flag', flag)}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}

/** The ratings of the persona, compared with those of people. */
export function Calibration({ persona }: { persona: PersonaDetails }) {
  const { t } = useTranslator();
  const rated = (persona.reactions?.nodes ?? []).flatMap(
    ({ id, createdAt, rating, observedRating, document }) =>
      rating == null
        ? []
        : [
            {
              id,
              at: createdAt,
              rating,
              observed: observedRating,
              document,
            },
          ],
  );
  const { calibration } = persona;
  return (
    <Panel title={t('persona.calibration')}>
      {rated.length > 0 && (
        <Stack p="md" pb={0} gap="sm">
          <RatingColumns ratings={rated.map(({ rating }) => rating)} />
          <RatingTimes points={rated} />
        </Stack>
      )}
      {calibration && calibration.ratings > 0 ? (
        <Stack p="md" gap="sm">
          <RatingPairs points={rated} />
          <Text size="xs" c="dimmed" aria-hidden>
            {t('rating.pairs', { count: calibration.ratings })}
          </Text>
          <CalibrationFigures calibration={calibration} />
        </Stack>
      ) : (
        <EmptyState title={t('persona.uncalibrated')} hint={t('persona.uncalibratedHint')} />
      )}
    </Panel>
  );
}

function CalibrationFigures({
  calibration: { ratings, bias, meanError, correctedError },
}: {
  calibration: NonNullable<PersonaDetails['calibration']>;
}) {
  const { t } = useTranslator();
  const by = bias ?? 0;
  const direction =
    by > 0 ? 'persona.ratesHigher' : by < 0 ? 'persona.ratesLower' : 'persona.ratesEqual';
  return (
    <div>
      <Text size="sm">{t(direction, { by: Math.abs(by) })}</Text>
      <Text size="sm" c="dimmed">
        {t('persona.meanError', { error: meanError ?? 0, count: ratings })}
        {correctedError != null && ` ${t('persona.correctedError', { error: correctedError })}`}
      </Text>
    </div>
  );
}
