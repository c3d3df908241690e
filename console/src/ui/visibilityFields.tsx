import { Group, NativeSelect, TextInput } from '@mantine/core';
import type { CombinedError } from '@urql/core';
import type { Visibility } from '../graph/graphql';
import { useTranslator } from '../i18n';
import { fieldProblem } from '../problemText';

/**
 * Who may know a text, or empty if its head and the workspace's default decide; and until when it is
 * under embargo: a time of the browser's zone, or empty.
 */
export interface VisibilityValue {
  readonly visibility: Visibility | '';
  readonly until: string;
}

const choices: readonly Visibility[] = ['PUBLIC', 'INTERNAL', 'EMBARGOED'];

/** Returns a time as an input of the type datetime-local has it. */
export function localTime(at: string | null | undefined): string {
  if (!at) {
    return '';
  }
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Returns the part of an input that says who may know a text. */
export const visibilityInput = ({ visibility, until }: VisibilityValue) => {
  if (visibility === '') {
    return {};
  }
  return visibility === 'EMBARGOED' && until
    ? { visibility, embargoedUntil: new Date(until).toISOString() }
    : { visibility };
};

/** The choice of who may know a text, with the end of an embargo. */
export function VisibilityFields<T extends VisibilityValue['visibility']>({
  value,
  change,
  open,
  error,
}: {
  readonly value: VisibilityValue & { readonly visibility: T };
  readonly change: (value: VisibilityValue & { readonly visibility: T }) => void;
  /** The label of the empty choice; it is offered only with one. */
  readonly open?: string | undefined;
  readonly error?: CombinedError | undefined;
}) {
  const { t, name } = useTranslator();
  return (
    <Group gap="sm" align="flex-start">
      <NativeSelect
        label={t('documents.visibility')}
        data={[
          ...(open ? [{ value: '', label: open }] : []),
          ...choices.map((choice) => ({ value: choice, label: name('visibility', choice) })),
        ]}
        value={value.visibility}
        error={fieldProblem(error, 'visibility')}
        onChange={(event) => change({ ...value, visibility: event.currentTarget.value as T })}
      />
      {value.visibility === 'EMBARGOED' && (
        <TextInput
          type="datetime-local"
          required
          label={t('documents.embargoedUntil')}
          value={value.until}
          error={fieldProblem(error, 'embargoedUntil')}
          onChange={(event) => change({ ...value, until: event.currentTarget.value })}
        />
      )}
    </Group>
  );
}
