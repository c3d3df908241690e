import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslator } from '../../i18n';
import { problemText } from '../../problemText';
import type { DebouncedResult } from '../../ui/useDebouncedQuery';

interface FailureProps {
  readonly check: Pick<DebouncedResult<unknown>, 'error' | 'isSending' | 'retry'>;
  /** The name of the check, for the button's. */
  readonly subject: string;
}

/** Says why a check of the text failed, and asks for it again. The text stays as it is. */
export function CheckFailure({ check: { error, isSending, retry }, subject }: FailureProps) {
  const { t } = useTranslator();
  return (
    error && (
      <Alert color="red" role="alert" m="md">
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{problemText(error, t)}</Text>
          <Button
            size="xs"
            variant="light"
            loading={isSending}
            aria-label={`${t('action.retry')}: ${subject}`}
            onClick={retry}
          >
            {t('action.retry')}
          </Button>
        </Stack>
      </Alert>
    )
  );
}
