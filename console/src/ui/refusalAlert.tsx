import { Alert } from '@mantine/core';
import type { CombinedError } from '@urql/core';
import { useTranslator } from '../i18n';
import { isAtFields, problemText } from '../problemText';

interface RefusalProps {
  readonly error: CombinedError | undefined;
  /** The fields that show their own reasons. */
  readonly fields?: readonly string[];
}

/** Shows why a form was refused, unless its fields show every reason. */
export function RefusalAlert({ error, fields = [] }: RefusalProps) {
  const { t } = useTranslator();
  if (!error || isAtFields(error, fields)) {
    return null;
  }
  return (
    <Alert color="red" role="alert">
      {problemText(error, t)}
    </Alert>
  );
}
