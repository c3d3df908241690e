import { Button, type ButtonProps, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ComponentPropsWithRef } from 'react';
import { useTranslator } from '../i18n';

/** The button that opens the account's menu; the menu's code is loaded with the first click. */
export function AccountButton({
  label,
  ...rest
}: { label: string | undefined } & ButtonProps & ComponentPropsWithRef<'button'>) {
  const { t } = useTranslator();
  return (
    <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />} {...rest}>
      <Text span truncate maw={{ base: 110, sm: 220 }} size="sm" fw={550}>
        {label ?? t('account.menu')}
      </Text>
    </Button>
  );
}
