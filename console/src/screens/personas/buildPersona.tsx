import { Alert, Button, Progress, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useMutation, useSubscription } from 'urql';
import { useLocation } from 'wouter';
import { BuildPersonaDocument, WatchBuildDocument } from '../../graph/personas/graphql';
import { useTranslator } from '../../i18n';
import type { PersonaValue } from '../../ui/personaFields';
import { RefusalAlert } from '../../ui/refusalAlert';
import { discardUnsaved } from '../../unsavedChanges';

interface BuildProps {
  readonly value: PersonaValue;
  /** The documents to learn from; the workspace's that fit the persona if there are none. */
  readonly documents: readonly string[];
}

/** Builds a persona from its name and documents by a job, and opens it. */
export function BuildPersona({ value, documents }: BuildProps) {
  const { t } = useTranslator();
  const [, navigate] = useLocation();
  const [{ data: started, fetching, error }, build] = useMutation(BuildPersonaDocument);
  const jobId = started?.startPersonaBuild?.job.id ?? '';
  const [{ data }] = useSubscription({
    query: WatchBuildDocument,
    variables: { jobId },
    pause: !jobId,
  });
  const job = jobId ? data?.jobProgress.job : undefined;
  const built = job?.result && 'personaId' in job.result ? job.result.personaId : null;
  useEffect(() => {
    if (built) {
      discardUnsaved();
      navigate(`/personas/${built}`);
    }
  }, [built, navigate]);
  const start = () => {
    const { name, category, description, interests, concerns, communicationStyle, tone } = value;
    const given = { description, interests, concerns, communicationStyle, tone };
    const ids = documents.length > 0 ? [...documents] : undefined;
    void build({
      input: {
        ...{ name, category: category || undefined, ...given },
        ...{ documentIds: ids, writingSampleDocumentIds: ids },
      },
    });
  };
  const isRunning = fetching || Boolean(jobId && !job?.completedAt);
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm" c="dimmed">
        {documents.length > 0
          ? t('personas.buildFrom', { count: documents.length })
          : t('personas.buildHint')}
      </Text>
      <Button
        type="button"
        variant="default"
        disabled={value.name.trim() === ''}
        loading={isRunning}
        onClick={start}
      >
        {t('personas.build')}
      </Button>
      {job && !job.completedAt && (
        <Progress
          value={job.progress}
          size="sm"
          w="100%"
          aria-label={t('job.progressOf', { kind: t('personas.build') })}
        />
      )}
      {job?.errorMessage && (
        <Alert color="red" role="alert">
          {job.errorMessage}
        </Alert>
      )}
      <RefusalAlert error={error} fields={[]} />
    </Stack>
  );
}
