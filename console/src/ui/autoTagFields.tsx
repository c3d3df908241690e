import { NativeSelect, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core';
import type { CombinedError } from 'urql';
import { useTranslator } from '../i18n';
import { fieldProblem } from '../problemText';

/** The definition of an auto-tag while it is edited; its values are lines. */
export interface AutoTagValues {
  readonly name: string;
  readonly tagType: string;
  readonly description: string;
  readonly allowedValues: string;
  readonly minConfidence: string;
  readonly enabled: boolean;
}

export const emptyAutoTag: AutoTagValues = {
  name: '',
  tagType: '',
  description: '',
  allowedValues: '',
  minConfidence: '0.5',
  enabled: true,
};

/** The fields of an auto-tag that show the reasons of a refusal themselves. */
export const autoTagFieldNames = [
  ...(['name', 'tagType', 'description', 'allowedValues', 'minConfidence'] as const),
];

/** Types whose values are read in a way of their own; the gateway takes other words as free text. */
export const tagTypes = [
  ...(['topic', 'sentiment', 'company', 'executive', 'person', 'place'] as const),
  ...(['number', 'date', 'boolean', 'list', 'pillar', 'text'] as const),
];

/** Returns the lines that are not empty. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Returns the input of the mutations that define or change an auto-tag. */
export const autoTagInput = ({ allowedValues, minConfidence, ...values }: AutoTagValues) => ({
  ...values,
  allowedValues: linesOf(allowedValues),
  minConfidence: Number(minConfidence),
});

/** How sure a value must be to be applied without review. */
const confidences = ['0', '0.3', '0.5', '0.7', '0.9', '1'];

interface FieldsProps {
  readonly values: AutoTagValues;
  readonly change: (values: Partial<AutoTagValues>) => void;
  readonly error: CombinedError | undefined;
  readonly isReadOnly?: boolean;
}

/** The fields of an auto-tag's definition. */
export function AutoTagFields({ values, change, error, isReadOnly = false }: FieldsProps) {
  const { t, name, percent } = useTranslator();
  const withCurrent = (all: readonly string[], current: string) =>
    current === '' || all.includes(current) ? all : [...all, current];
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('tags.name')}
          value={values.name}
          readOnly={isReadOnly}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={fieldProblem(error, 'name')}
        />
        <NativeSelect
          label={t('tags.tagType')}
          value={values.tagType}
          disabled={isReadOnly}
          onChange={(event) => change({ tagType: event.currentTarget.value })}
          error={fieldProblem(error, 'tagType')}
          data={[
            ...(values.tagType === '' ? [{ value: '', label: t('tags.chooseType') }] : []),
            ...withCurrent(tagTypes, values.tagType).map((type) => ({
              value: type,
              label: name('tagType', type),
            })),
          ]}
        />
      </SimpleGrid>
      <Textarea
        label={t('tags.description')}
        description={t('tags.descriptionHint')}
        value={values.description}
        readOnly={isReadOnly}
        autosize
        minRows={1}
        onChange={(event) => change({ description: event.currentTarget.value })}
        error={fieldProblem(error, 'description')}
      />
      <Textarea
        label={t('tags.allowedValues')}
        description={t('tags.allowedValuesHint')}
        value={values.allowedValues}
        readOnly={isReadOnly}
        autosize
        minRows={2}
        maxRows={12}
        onChange={(event) => change({ allowedValues: event.currentTarget.value })}
        error={fieldProblem(error, 'allowedValues')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
        <NativeSelect
          label={t('tags.minConfidence')}
          value={values.minConfidence}
          disabled={isReadOnly}
          onChange={(event) => change({ minConfidence: event.currentTarget.value })}
          error={fieldProblem(error, 'minConfidence')}
          data={withCurrent(confidences, values.minConfidence).map((value) => ({
            value,
            label: percent(Number(value)),
          }))}
        />
        <Switch
          label={t('tags.enabled')}
          checked={values.enabled}
          disabled={isReadOnly}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
      </SimpleGrid>
    </>
  );
}
