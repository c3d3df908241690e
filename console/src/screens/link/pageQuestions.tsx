import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import type { CombinedError } from 'urql';
import type { FormFieldType } from '../../graph/link/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { type Question, freeName } from './pageFields';

interface QuestionsProps {
  readonly questions: readonly Question[];
  readonly setQuestions: (change: (before: readonly Question[]) => readonly Question[]) => void;
  readonly error: CombinedError | undefined;
}

/** The questions of the form of a page, with buttons to add, move and remove them. */
export function PageQuestions({ questions, setQuestions, error }: QuestionsProps) {
  const { t } = useTranslator();
  const change = (row: string, part: Partial<Question>) =>
    setQuestions((before) =>
      before.map((question) => (question.row === row ? { ...question, ...part } : question)),
    );
  const move = (from: number, to: number) =>
    setQuestions((before) => {
      const rest = before.filter((_, i) => i !== from);
      return [...rest.slice(0, to), ...before.slice(from, from + 1), ...rest.slice(to)];
    });
  return (
    <Stack gap="sm" component="fieldset" className="facet">
      <Text component="legend" size="sm" fw={500}>
        {t('page.form')}
      </Text>
      {questions.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('page.noForm')}
        </Text>
      )}
      {questions.map((question, i) => (
        <QuestionFields
          key={question.row}
          question={question}
          number={i + 1}
          isLast={i === questions.length - 1}
          problem={(member) => fieldProblem(error, `form/fields/${i}/${member}`)}
          change={(part) => change(question.row, part)}
          move={(step) => move(i, i + step)}
          remove={() => setQuestions((before) => before.filter(({ row }) => row !== question.row))}
        />
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          onClick={() =>
            setQuestions((before) => [
              ...before,
              {
                row: crypto.randomUUID(),
                name: freeName(before),
                label: t('page.newField'),
                type: 'TEXT',
                required: false,
              },
            ])
          }
        >
          {t('page.addField')}
        </Button>
      </Group>
    </Stack>
  );
}

interface QuestionFieldsProps {
  readonly question: Question;
  readonly number: number;
  readonly isLast: boolean;
  readonly problem: (member: string) => string | undefined;
  readonly change: (part: Partial<Question>) => void;
  readonly move: (step: number) => void;
  readonly remove: () => void;
}

const types: readonly FormFieldType[] = [
  'TEXT',
  'EMAIL',
  'TEL',
  'URL',
  'NUMBER',
  'TEXTAREA',
  'CHECKBOX',
  'DATE',
];

function QuestionFields({
  question,
  number,
  isLast,
  problem,
  change,
  move,
  remove,
}: QuestionFieldsProps) {
  const { t, name } = useTranslator();
  const buttons = [
    ['page.up', IconArrowUp, number === 1, () => move(-1)],
    ['page.down', IconArrowDown, isLast, () => move(1)],
    ['page.remove', IconTrash, false, remove],
  ] as const;
  return (
    <Stack gap={6} role="group" aria-label={t('page.field', { number })} className="question">
      <Group gap={6} align="flex-start">
        <TextInput
          size="xs"
          label={t('page.label')}
          value={question.label}
          onChange={(event) => change({ label: event.currentTarget.value })}
          error={problem('label')}
          style={{ flex: '2 1 9rem' }}
        />
        <TextInput
          size="xs"
          label={t('page.name')}
          value={question.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={problem('name')}
          style={{ flex: '1 1 7rem' }}
        />
        <NativeSelect
          size="xs"
          label={t('page.type')}
          data={types.map((value) => ({ value, label: name('field', value) }))}
          value={question.type}
          onChange={(event) => change({ type: event.currentTarget.value as FormFieldType })}
          style={{ flex: '1 1 7rem' }}
        />
      </Group>
      <Group justify="space-between">
        <Checkbox
          size="xs"
          label={t('page.required')}
          checked={question.required}
          onChange={(event) => change({ required: event.currentTarget.checked })}
        />
        <Group gap={2}>
          {buttons.map(([key, Icon, disabled, run]) => (
            <ActionIcon
              key={key}
              variant="subtle"
              color="gray"
              title={t(key, { number })}
              aria-label={t(key, { number })}
              disabled={disabled}
              onClick={run}
            >
              <Icon size={16} aria-hidden />
            </ActionIcon>
          ))}
        </Group>
      </Group>
    </Stack>
  );
}
