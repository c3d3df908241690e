import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, type RefObject, useId, useState } from 'react';
import type { CombinedError } from 'urql';
import { useTranslator } from '../i18n';
import { fieldProblem } from '../problemText';
import { RefusalAlert } from './refusalAlert';

/** The types whose values have a form that the field explains. */
const explained = ['number', 'date', 'boolean', 'list'] as const;

interface CorrectionFormProps {
  readonly input?: RefObject<HTMLInputElement | null>;
  readonly extracted: string;
  /** What the gateway checks the value against. */
  readonly tag: { readonly tagType: string; readonly allowedValues: readonly string[] };
  readonly fetching: boolean;
  readonly error: CombinedError | undefined;
  readonly correct: (value: string) => void;
  readonly shortcut?: ReactNode;
}

/**
 * The field of the right value; Enter corrects. It offers the auto-tag's values and shows why the
 * gateway refuses one that is not among them or not of the type.
 */
export function CorrectionForm({
  input,
  extracted,
  tag,
  fetching,
  error,
  correct,
  shortcut,
}: CorrectionFormProps) {
  const { t } = useTranslator();
  const [value, setValue] = useState(extracted);
  const choices = useId();
  const type = explained.find((one) => one === tag.tagType);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (value.trim()) {
      correct(value);
    }
  };
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-end">
        <TextInput
          ref={input}
          size="xs"
          label={t('review.value')}
          description={type && t(`review.form.${type}`)}
          list={tag.allowedValues.length > 0 ? choices : undefined}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          error={fieldProblem(error, 'value')}
        />
        <datalist id={choices}>
          {tag.allowedValues.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <Button
          type="submit"
          size="xs"
          variant="default"
          loading={fetching}
          disabled={!value.trim()}
          rightSection={shortcut}
        >
          {t('review.correct')}
        </Button>
      </Group>
      <RefusalAlert error={error} fields={['value']} />
    </form>
  );
}
