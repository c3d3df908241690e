import { Button } from '@mantine/core';
import { useTranslator } from '../i18n';
import type { MessageKey } from '../i18n';
import { ConfirmedButton } from './confirmedButton';

/** A button of a row: its label, and whether it runs. */
interface RowAction {
  readonly label: MessageKey;
  readonly fetching: boolean;
  readonly run: () => unknown;
}

interface SecretActionsProps {
  readonly subject: string;
  /** Makes a new secret, which is shown once. */
  readonly replace: RowAction & { readonly hint: MessageKey };
  /** Ends what the row is about, after a question. */
  readonly end: RowAction & { readonly question: string };
}

/** The buttons of a row with a secret: a new secret, and the end. */
export function SecretActions({ subject, replace, end }: SecretActionsProps) {
  const { t } = useTranslator();
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        title={t(replace.hint)}
        loading={replace.fetching}
        onClick={() => void replace.run()}
      >
        {t(replace.label)}
      </Button>
      <ConfirmedButton
        size="compact-xs"
        variant="subtle"
        color="red"
        loading={end.fetching}
        subject={subject}
        action={t(end.label)}
        question={end.question}
        run={() => void end.run()}
      />
    </>
  );
}
