import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import type { CombinedError } from 'urql';
import { useTranslator } from '../i18n';
import { fieldProblem } from '../problemText';
import { type Incoming, IncomingFields } from './incomingFields';

const intervals: readonly number[] = [15, 60, 360, 1440, 10080];

/** What is asked of a source besides its address; lists of words have commas between them. */
export interface SourceValues extends Incoming {
  readonly name: string;
  readonly intervalMinutes: number;
  readonly includes: string;
  readonly excludes: string;
  readonly tags: string;
}

export const newSource: SourceValues = {
  name: '',
  intervalMinutes: 60,
  visibility: '',
  provenance: '',
  includes: '',
  excludes: '',
  tags: '',
};

/** Returns the words of a text with commas between them. */
export const wordsOf = (text: string) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** Returns the fields of the gateway's input. */
export const inputOfSource = (values: SourceValues) => ({
  name: values.name.trim(),
  intervalMinutes: values.intervalMinutes,
  visibility: values.visibility || undefined,
  mediaProvenance: values.provenance || null,
  titleIncludes: wordsOf(values.includes),
  titleExcludes: wordsOf(values.excludes),
  tags: wordsOf(values.tags),
});

/** The fields of the input that show their own reasons. */
export const sourceFieldNames = [
  ...(['url', 'linkPrefix', 'name', 'intervalMinutes', 'visibility'] as const),
  ...(['titleIncludes', 'titleExcludes', 'tags'] as const),
];

/** Returns how often a source is polled, for example "every hour". */
export function useIntervalName() {
  const { t } = useTranslator();
  return (minutes: number) => {
    switch (minutes) {
      case 60:
        return t('source.everyHour');
      case 1440:
        return t('source.everyDay');
      case 10080:
        return t('source.everyWeek');
      default:
        return minutes % 60 === 0
          ? t('source.everyHours', { count: minutes / 60 })
          : t('source.everyMinutes', { count: minutes });
    }
  };
}

interface FieldsProps {
  readonly values: SourceValues;
  readonly change: (values: Partial<SourceValues>) => void;
  readonly error: CombinedError | undefined;
  readonly isReadOnly: boolean;
  readonly isNew?: boolean;
}

/** The fields of a source. */
export function SourceOptions({ values, change, error, isReadOnly, isNew = false }: FieldsProps) {
  const { t } = useTranslator();
  const intervalName = useIntervalName();
  const shown = intervals.includes(values.intervalMinutes)
    ? intervals
    : [...intervals, values.intervalMinutes];
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('source.name')}
          value={values.name}
          readOnly={isReadOnly}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={fieldProblem(error, 'name')}
        />
        <NativeSelect
          label={t('source.interval')}
          value={String(values.intervalMinutes)}
          disabled={isReadOnly}
          onChange={(event) => change({ intervalMinutes: Number(event.currentTarget.value) })}
          data={shown.map((value) => ({ value: String(value), label: intervalName(value) }))}
        />
        <IncomingFields values={values} isReadOnly={isReadOnly} isNew={isNew} change={change} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          label={t('source.includes')}
          description={t('source.wordsHint')}
          value={values.includes}
          readOnly={isReadOnly}
          onChange={(event) => change({ includes: event.currentTarget.value })}
          error={fieldProblem(error, 'titleIncludes')}
        />
        <TextInput
          label={t('source.excludes')}
          description={t('source.wordsHint')}
          value={values.excludes}
          readOnly={isReadOnly}
          onChange={(event) => change({ excludes: event.currentTarget.value })}
          error={fieldProblem(error, 'titleExcludes')}
        />
        <TextInput
          label={t('source.tags')}
          description={t('source.tagsHint')}
          value={values.tags}
          readOnly={isReadOnly}
          onChange={(event) => change({ tags: event.currentTarget.value })}
          error={fieldProblem(error, 'tags')}
        />
      </SimpleGrid>
    </>
  );
}
