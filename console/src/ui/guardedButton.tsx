import { Button, type ButtonProps, Text } from '@mantine/core';
import { type ComponentProps, useId } from 'react';
import { type MessageKey, useTranslator } from '../i18n';
import { useNotice } from './notice';

export interface GuardedProps
  extends ButtonProps, Omit<ComponentProps<'button'>, keyof ButtonProps> {
  /**
   * Whether the action is possible, mostly by the viewer's scopes; undefined until they are known.
   */
  readonly allowed: boolean | undefined;
  readonly reason?: MessageKey;
}

/**
 * A button of an action that may not be allowed. It is then disabled but can have the focus, and a
 * press shows the reason. While the scopes are unknown there is no reason.
 */
export function GuardedButton({ allowed, reason = 'guard.write', ...button }: GuardedProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const id = useId();
  if (allowed) {
    return <Button {...button} />;
  }
  if (allowed === undefined) {
    return (
      <Button
        {...button}
        type="button"
        disabled={false}
        data-disabled
        aria-disabled
        onClick={undefined}
      />
    );
  }
  return (
    <>
      <Button
        {...button}
        type="button"
        disabled={false}
        data-disabled
        aria-disabled
        aria-describedby={id}
        title={t(reason)}
        onClick={() => notify(t(reason))}
      />
      <Text id={id} className="sr-only" component="span">
        {t(reason)}
      </Text>
    </>
  );
}
