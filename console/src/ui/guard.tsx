import { Button, type ButtonProps, Text } from '@mantine/core';
import { type ComponentProps, useId } from 'react';
import { type MessageKey, useTranslator } from '../i18n';
import { useNotice } from './notice';

interface GuardedProps extends ButtonProps, Omit<ComponentProps<'button'>, keyof ButtonProps> {
  /** Whether the viewer's scopes include the action; undefined while they are not known. */
  readonly allowed: boolean | undefined;
  readonly reason?: MessageKey;
}

/** A button of an action that needs a scope. Without it the button is disabled but keeps its focus, and its press shows the reason; while the scopes are unknown there is none. */
export function GuardedButton({ allowed, reason = 'guard.write', ...button }: GuardedProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const id = useId();
  if (allowed) {
    return <Button {...button} />;
  }
  if (allowed === undefined) {
    return <Button {...button} type="button" data-disabled aria-disabled onClick={undefined} />;
  }
  return (
    <>
      <Button {...button} type="button" data-disabled aria-disabled aria-describedby={id} title={t(reason)} onClick={() => notify(t(reason))} />
      <Text id={id} className="sr-only" component="span">
        {t(reason)}
      </Text>
    </>
  );
}
