import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useState } from 'react';
import { CheckCoverageDocument, type CheckCoverageMutation, RemoveMachineStyleDocument, type RemoveMachineStyleMutation } from '../graph/draft/graphql';
import { useTranslator } from '../i18n';
import { useAction } from '../ui/action';
import { Panel } from '../ui/panel';

interface CoverageProps {
  readonly content: string;
  readonly points: string;
  readonly setPoints: (points: string) => void;
  readonly priorities: readonly { text: string }[];
  /** The rows of the saved text; empty while the text or its points differ from it. */
  readonly saved: CoverageRows;
  readonly mayWrite: boolean;
}

type CoverageRows = NonNullable<CheckCoverageMutation['checkCoverage']>['coverage'];

/** The points that the text must make, and the sentences that make them. */
export function Coverage({ content, points, setPoints, priorities, saved, mayWrite }: CoverageProps) {
  const { t } = useTranslator();
  const [rows, setRows] = useState<CoverageRows | null>(null);
  const check = useAction(CheckCoverageDocument);
  const run = async () => {
    const data = await check.run({ input: { content, pullThroughPriorities: [...priorities] } });
    setRows(data?.checkCoverage?.coverage ?? []);
  };
  return (
    <Panel title={t('check.coverage')}>
      <Stack p="md" gap="sm">
        <Textarea label={t('check.points')} description={t('check.pointsHint')} autosize minRows={2} value={points} onChange={(event) => setPoints(event.currentTarget.value)} readOnly={!mayWrite} />
        {mayWrite && (
          <Button size="xs" variant="light" loading={check.fetching} disabled={priorities.length === 0 || !content.trim()} onClick={() => void run()}>
            {t('check.run')}
          </Button>
        )}
        {(rows ?? saved).map((row) => (
          <Group key={row.text} wrap="nowrap" align="flex-start" gap="xs">
            {row.covered ? (
              <IconCircleCheck size={18} color="var(--mantine-color-green-7)" role="img" aria-label={t('check.covered')} style={{ flexShrink: 0 }} />
            ) : (
              <IconCircleX size={18} color="var(--mantine-color-red-7)" role="img" aria-label={t('check.missing')} style={{ flexShrink: 0 }} />
            )}
            <div>
              <Text size="sm">{row.text}</Text>
              {row.evidence && (
                <Text size="xs" c="dimmed">
                  {row.evidence}
                </Text>
              )}
            </div>
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}

type Restyled = NonNullable<RemoveMachineStyleMutation['removeMachineStyle']>['text'];

/** Phrases that are typical of generated text, and the text without them. */
export function MachineStyle({ content, use, mayWrite }: { content: string; use: (text: string) => void; mayWrite: boolean }) {
  const { t, number } = useTranslator();
  const [found, setFound] = useState<Restyled | null>(null);
  const restyle = useAction(RemoveMachineStyleDocument);
  const run = async () => {
    const data = await restyle.run({ text: content });
    setFound(data?.removeMachineStyle?.text ?? null);
  };
  return (
    <Panel title={t('check.machine')}>
      <Stack p="md" gap="sm">
        {mayWrite && (
          <Button size="xs" variant="light" loading={restyle.fetching} disabled={!content.trim()} onClick={() => void run()}>
            {t('check.run')}
          </Button>
        )}
        {found && (
          <>
            <Text size="sm">{t('check.score', { before: number(found.scoreBefore), after: number(found.scoreAfter) })}</Text>
            <ul className="points">
              {found.tells.map((tell) => (
                <li key={tell.words}>
                  {tell.words} × {tell.count}
                </li>
              ))}
            </ul>
            {found.content !== content && (
              <Button size="xs" onClick={() => use(found.content)}>
                {t('check.use')}
              </Button>
            )}
          </>
        )}
      </Stack>
    </Panel>
  );
}
