import { ActionIcon, Badge, Button, Group, NativeSelect, Stack, Text, Textarea, UnstyledButton } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { type AnalysisFragment, CheckCoverageDocument, type CheckCoverageInput, type CoverageVerdict, RemoveMachineStyleDocument } from '../graph/draft/graphql';
import { type Translator, useTranslator } from '../i18n';
import { fieldProblem, problemText } from '../problem';
import { useAction } from '../ui/action';
import type { Mark } from '../ui/editor';
import { Panel } from '../ui/panel';
import type { Quoted } from '../ui/passage';
import { EmptyState } from '../ui/screen';
import type { DraftEditor } from './draft';
import type { Proposing } from './rewrite';

/** A point that the text must, should or may make, while it is edited. */
export interface Point {
  /** The key of the stored point; undefined for a new one. */
  readonly id?: string | undefined;
  readonly row: string;
  readonly text: string;
  readonly level: string;
  readonly fromKb: boolean;
}

/** Returns the points that have a text. */
export function givenPoints(points: readonly Point[]): Point[] {
  return points.map((point) => ({ ...point, text: point.text.trim() })).filter(({ text }) => text);
}

type Row = Pick<AnalysisFragment['points'][number], 'verdict' | 'passage' | 'missingWords'>;

const colors: Record<CoverageVerdict, string> = { COVERED: 'green', PARTLY: 'orange', CONTRADICTED: 'red', ABSENT: 'gray', UNKNOWN: 'gray' };

/** A point that no sentence decides is partly made if a sentence has most of its words. */
function outcomeOf({ verdict, passage }: Row): CoverageVerdict {
  return verdict === 'UNKNOWN' && passage ? 'PARTLY' : verdict;
}

/** Returns the passages of an analysis to mark in the text: those of points, and the markers of machine style. */
export function marksOf(analysis: AnalysisFragment | null, t: Translator['t']): Mark[] {
  const points = analysis?.points.flatMap((row, i) => (row.passage ? [{ id: `point-${i}`, label: row.text, color: colors[outcomeOf(row)], quote: row.passage }] : [])) ?? [];
  const markers = analysis?.styleMarkers.map(({ passage }, i) => ({ id: `marker-${i}`, label: t('check.machine'), color: 'grape', quote: passage })) ?? [];
  return [...markers, ...points];
}

interface CheckProps {
  readonly editor: DraftEditor;
  readonly show: (quote: Quoted) => void;
  readonly mayWrite: boolean | undefined;
}

/** The points that the text must make, with the verdict of each on the text as it is. */
export function Coverage({ editor, show, mayWrite }: CheckProps) {
  const { t } = useTranslator();
  const { points, setPoints, given, analysis, error, live } = editor;
  const model = useModelCheck(editor);
  const change = (row: string, part: Partial<Point>) => setPoints((before) => before.map((point) => (point.row === row ? { ...point, ...part } : point)));
  const problemOf = (point: Point) => {
    const field = `pullThroughPriorities/${given.findIndex(({ row }) => row === point.row)}`;
    return fieldProblem(live.error, field) ?? fieldProblem(error, field);
  };
  const rowOf = (point: Point): Row | undefined => model.rows?.get(point.text.trim()) ?? analysis?.points.find(({ text }) => text === point.text.trim());
  return (
    <Panel title={t('check.coverage')} actions={<LiveState editor={editor} />}>
      {points.length === 0 && <EmptyState title={t('check.noPoints')} hint={t('check.noPointsHint')} />}
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
            {rowOf(point) && <Verdict row={rowOf(point) as Row} show={show} />}
          </li>
        ))}
      </ul>
      {mayWrite && (
        <Group p="md" gap="xs">
          <Button size="xs" variant="default" onClick={() => setPoints((before) => [...before, { row: crypto.randomUUID(), text: '', level: 'must', fromKb: false }])}>
            {t('check.addPoint')}
          </Button>
          {given.length > 0 && (
            <Button size="xs" variant="light" loading={model.fetching} disabled={!editor.content.trim()} onClick={() => void model.run()}>
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

/** Asks the text model, which costs a run. Its verdicts hold until the text or the points change. */
function useModelCheck({ content, given }: DraftEditor) {
  const input: CheckCoverageInput = { content, pullThroughPriorities: given.map(({ text, level }) => ({ text, level })) };
  const key = JSON.stringify(input);
  const [asked, setAsked] = useState<{ key: string; name: string | null; rows: Map<string, Row> } | null>(null);
  const { run: check, fetching } = useAction(CheckCoverageDocument);
  const run = async () => {
    const found = (await check({ input }))?.checkCoverage;
    const rows = found?.coverage.map(({ text, verdict, passage }): [string, Row] => [text, { verdict, passage, missingWords: [] }]);
    setAsked(rows ? { key, name: found?.model ?? null, rows: new Map(rows) } : null);
  };
  const isCurrent = asked?.key === key;
  return { run, fetching, rows: isCurrent ? asked.rows : null, name: isCurrent ? asked.name : null };
}

/** Whether the verdicts are those of the present text. */
function LiveState({ editor: { live, analysis, content } }: { editor: DraftEditor }) {
  const { t } = useTranslator();
  if (live.error) {
    return (
      <Text size="xs" c="red" role="alert">
        {problemText(live.error, t)}
      </Text>
    );
  }
  const key = live.isTooLong ? 'check.tooLong' : live.isCurrent || !content.trim() ? (analysis ? 'check.current' : null) : 'check.checking';
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
        <Badge size="xs" variant="outline" color="gray">{name('level', point.level)}</Badge>
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
      <ActionIcon size={30} variant="subtle" color="gray" title={t('action.delete')} aria-label={t('check.removePoint', { number })} onClick={remove}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

/** A verdict and its passage, which a click selects in the text. */
function Verdict({ row, show }: { row: Row; show: (quote: Quoted) => void }) {
  const { t, name } = useTranslator();
  const outcome = outcomeOf(row);
  const { passage, missingWords } = row;
  return (
    <Stack gap={4} mt={6} data-verdict={outcome}>
      <Group gap={6}>
        <Badge size="sm" variant="light" color={colors[outcome]}>
          {name('verdict', outcome)}
        </Badge>
        {row.verdict === 'UNKNOWN' && passage && (
          <Text size="xs" c="dimmed">
            {missingWords.length > 0 ? t('check.lacks', { words: missingWords.join(', ') }) : t('check.loosely')}
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

/** Phrases that are typical of generated text, with the characters that they take; a click selects one. */
export function MachineStyle({ editor, show, proposal, mayWrite }: CheckProps & { proposal: Proposing }) {
  const { t, number } = useTranslator();
  const { analysis, content } = editor;
  const restyle = useAction(RemoveMachineStyleDocument);
  const run = async () => {
    const found = (await restyle.run({ text: content }))?.removeMachineStyle;
    if (found) {
      proposal.offer({ start: 0, before: content, after: found.text.content, warning: found.text.warning ?? null });
    }
  };
  const markers = analysis?.styleMarkers ?? [];
  return (
    <Panel title={t('check.machine')} actions={analysis && <Badge variant="light" color={markers.length ? 'grape' : 'green'}>{t('check.score', { score: number(analysis.styleScore) })}</Badge>}>
      {markers.length === 0 ? (
        <EmptyState title={analysis ? t('check.noMarkers') : t('check.noText')} />
      ) : (
        <ul className="rows marker-list">
          {markers.map(({ passage }) => (
            <li key={passage.start}>
              <UnstyledButton className="quote" onClick={() => show(passage)}>
                <Text size="sm">
                  {passage.text}{' '}
                  <Text span size="xs" c="dimmed">
                    {t('check.span', { start: passage.start + 1, end: passage.end })}
                  </Text>
                </Text>
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
      {mayWrite && markers.length > 0 && (
        <Group p="md" gap="xs">
          <Button size="xs" variant="light" loading={restyle.fetching} onClick={() => void run()}>
            {t('check.restyle')}
          </Button>
          {analysis && analysis.styleMarkerCount > markers.length && (
            <Text size="xs" c="dimmed">
              {t('check.moreMarkers', { count: analysis.styleMarkerCount - markers.length })}
            </Text>
          )}
        </Group>
      )}
    </Panel>
  );
}
