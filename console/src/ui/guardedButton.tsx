import { Button, type ButtonProps, Text } from '@mantine/core';
import { type ComponentProps, useId } from 'react';
import { type MessageKey, useTranslator } from '../i18n';
import { useMayOnlyRead } from '../liveUpdates';
import { useNotice } from './notice';

export interface GuardedProps
  extends ButtonProps, Omit<ComponentProps<'button'>, keyof ButtonProps> {
  /**
   * Whether the action is possible, mostly by what the viewer may do; undefined until that is known.
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
  const mayOnlyRead = useMayOnlyRead();
  const why = reason === 'guard.write' && !mayOnlyRead ? 'guard.role' : reason;
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
        title={t(why)}
        onClick={() => notify(t(why))}
      />
      <Text id={id} className="sr-only" component="span">
        {t(why)}
      </Text>
    </>
  );
}
