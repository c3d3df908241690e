import { Button, Group } from '@mantine/core';
import { useTranslator } from '../../i18n';

/** The buttons of a small form: its action, and one that closes it. */
export function FormButtons({
  action,
  fetching,
  isDisabled = false,
  close,
}: {
  readonly action: string;
  readonly fetching: boolean;
  readonly isDisabled?: boolean;
  readonly close: () => void;
}) {
  const { t } = useTranslator();
  return (
    <Group gap="xs">
      <Button type="submit" size="xs" loading={fetching} disabled={isDisabled}>
        {action}
      </Button>
      <Button size="xs" variant="default" onClick={close}>
        {t('action.cancel')}
      </Button>
    </Group>
  );
}
