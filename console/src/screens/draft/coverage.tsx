import {
  ActionIcon,
  Badge,
  Button,
  Group,
  NativeSelect,
  Stack,
  Text,
  Textarea,
  UnstyledButton,
} from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { CheckCoverageDocument, type CheckCoverageInput } from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { Panel } from '../../ui/panel';
import type { Quote } from '../../ui/passages';
import { EmptyState } from '../../ui/screen';
import { useAction } from '../../ui/useAction';
import { type PointVerdict, verdictColors } from './analysisMarks';
import { CheckFailure } from './checkFailure';
import type { Point } from './draftFields';
import type { DraftEditor } from './useDraftEditor';

interface CoverageProps {
  readonly editor: DraftEditor;
  readonly show: (quote: Quote) => void;
  readonly mayWrite: boolean | undefined;
}

/** The points that the text must make, with the verdict of each on the text as it is. */
export function Coverage({ editor, show, mayWrite }: CoverageProps) {
  const { t } = useTranslator();
  const { points, setPoints, filledPoints, analysis, error, live } = editor;
  const model = useModelCheck(editor);
  const change = (row: string, part: Partial<Point>) =>
    setPoints((before) =>
      before.map((point) => (point.row === row ? { ...point, ...part } : point)),
    );
  const problemOf = (point: Point) => {
    const field = `pullThroughPriorities/${filledPoints.findIndex(({ row }) => row === point.row)}`;
    return fieldProblem(live.error, field) ?? fieldProblem(error, field);
  };
  const rowOf = (point: Point): PointVerdict | undefined =>
    model.rows?.get(point.text.trim()) ??
    analysis?.points.find(({ text }) => text === point.text.trim());
  return (
    <Panel title={t('check.coverage')} actions={<LiveState editor={editor} />}>
      <CheckFailure check={live} subject={t('check.coverage')} />
      {points.length === 0 && (
        <EmptyState title={t('check.noPoints')} hint={t('check.noPointsHint')} />
      )}
      <ul className="rows">
        {points.map((point, i) => (
          <li key={point.row}>
            <PointFields
              point={point}
              number={i + 1}
              mayWrite={mayWrite}
              problem={problemOf(point)}
              change={(part) => change(point.row, part)}
              remove={() => setPoints((before) => before.filter(({ row }) => row !== point.row))}
            />
            {rowOf(point) && <Verdict row={rowOf(point) as PointVerdict} show={show} />}
          </li>
        ))}
      </ul>
      {mayWrite && (
        <Group p="md" gap="xs">
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              setPoints((before) => [
                ...before,
                { row: crypto.randomUUID(), text: '', level: 'must', fromKb: false },
              ])
            }
          >
            {t('check.addPoint')}
          </Button>
          {filledPoints.length > 0 && (
            <Button
              size="xs"
              variant="light"
              loading={model.fetching}
              disabled={!editor.content.trim()}
              onClick={() => void model.run()}
            >
              {t('check.askModel')}
            </Button>
          )}
          {model.name && (
            <Text size="xs" c="dimmed">
              {t('check.byModel', { model: model.name })}
            </Text>
          )}
        </Group>
      )}
    </Panel>
  );
}

/**
 * Asks the text model, at the cost of a run. Its verdicts hold until the text or the points change.
 */
function useModelCheck({ content, filledPoints }: DraftEditor) {
  const input: CheckCoverageInput = {
    content,
    pullThroughPriorities: filledPoints.map(({ text, level }) => ({ text, level })),
  };
  const key = JSON.stringify(input);
  const [answer, setAnswer] = useState<{
    key: string;
    name: string | null;
    rows: Map<string, PointVerdict>;
  } | null>(null);
  const { run: check, fetching } = useAction(CheckCoverageDocument);
  const run = async () => {
    const found = (await check({ input }))?.checkCoverage;
    const rows = found?.coverage.map(({ text, verdict, passage }): [string, PointVerdict] => [
      text,
      { verdict, passage, missingWords: [], byModel: true },
    ]);
    setAnswer(rows ? { key, name: found?.model ?? null, rows: new Map(rows) } : null);
  };
  const isCurrent = answer?.key === key;
  return {
    run,
    fetching,
    rows: isCurrent ? answer.rows : null,
    name: isCurrent ? answer.name : null,
  };
}

/** Says whether the verdicts are about the present text. */
function LiveState({ editor: { live, analysis, content } }: { editor: DraftEditor }) {
  const { t } = useTranslator();
  if (live.error) {
    return null; // the panel says why
  }
  const key = live.isTooLong
    ? 'check.tooLong'
    : live.isCurrent || !content.trim()
      ? analysis
        ? 'check.current'
        : null
      : 'check.checking';
  return (
    key && (
      <Text size="xs" c="dimmed" data-live={live.isCurrent}>
        {t(key)}
      </Text>
    )
  );
}

interface PointFieldsProps {
  readonly point: Point;
  readonly number: number;
  readonly mayWrite: boolean | undefined;
  readonly problem: string | undefined;
  readonly change: (part: Partial<Point>) => void;
  readonly remove: () => void;
}

const levels = ['must', 'should', 'nice'];

function PointFields({ point, number, mayWrite, problem, change, remove }: PointFieldsProps) {
  const { t, name } = useTranslator();
  if (!mayWrite) {
    return (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{point.text}</Text>
        <Badge size="xs" variant="outline" color="gray">
          {name('level', point.level)}
        </Badge>
      </Group>
    );
  }
  const known = levels.includes(point.level) ? levels : [point.level, ...levels];
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <Textarea
        size="xs"
        autosize
        minRows={1}
        dir="auto"
        aria-label={t('check.point', { number })}
        placeholder={t('check.pointHint')}
        value={point.text}
        onChange={(event) => change({ text: event.currentTarget.value.replaceAll('\n', ' ') })}
        error={problem}
        autoFocus={point.id === undefined && point.text === ''}
        style={{ flex: 1 }}
      />
      <NativeSelect
        size="xs"
        w={84}
        aria-label={t('check.levelOf', { number })}
        data={known.map((value) => ({ value, label: name('level', value) }))}
        value={point.level}
        onChange={(event) => change({ level: event.currentTarget.value })}
      />
      <ActionIcon
        size={30}
        variant="subtle"
        color="gray"
        title={t('action.delete')}
        aria-label={t('check.removePoint', { number })}
        onClick={remove}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

/** A verdict and its passage. A click selects the passage in the text. */
function Verdict({ row, show }: { row: PointVerdict; show: (quote: Quote) => void }) {
  const { t, name } = useTranslator();
  const { verdict, passage, missingWords } = row;
  return (
    <Stack gap={4} mt={6} data-verdict={verdict}>
      <Group gap={6}>
        <Badge size="sm" variant="light" color={verdictColors[verdict]}>
          {row.byModel && verdict === 'UNKNOWN' ? t('check.undecided') : name('verdict', verdict)}
        </Badge>
        {verdict === 'UNKNOWN' && passage && (
          <Text size="xs" c="dimmed">
            {missingWords.length > 0
              ? t('check.lacks', { words: missingWords.join(', ') })
              : t('check.loosely')}
          </Text>
        )}
      </Group>
      {passage && (
        <UnstyledButton className="quote" dir="auto" onClick={() => show(passage)}>
          <Text size="xs">{passage.text}</Text>
        </UnstyledButton>
      )}
    </Stack>
  );
}
