import { Button, Group, Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslator } from '../i18n';
import { GuardedButton, type GuardedProps } from './guardedButton';

interface ConfirmedProps extends Omit<GuardedProps, 'allowed' | 'onClick' | 'children'> {
  readonly allowed?: boolean;
  /** The id of what the action changes: the question is withdrawn when it becomes another. */
  readonly subject: string;
  /** The name of the action, on the button and in the dialog. */
  readonly action: string;
  /** The question of the dialog, which names the object. */
  readonly question: string;
  readonly run: () => unknown;
}

/** A button of an action that cannot be undone. A dialog asks first; Escape and Cancel close it. */
export function ConfirmedButton({ subject, ...props }: ConfirmedProps) {
  return <Confirmed key={subject} {...props} />;
}

function Confirmed({
  allowed = true,
  action,
  question,
  run,
  ...button
}: Omit<ConfirmedProps, 'subject'>) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  const confirm = () => {
    close();
    run();
  };
  return (
    <>
      <GuardedButton
        {...button}
        allowed={allowed}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {action}
      </GuardedButton>
      <Modal
        opened={opened}
        onClose={close}
        title={question}
        withCloseButton={false}
        closeOnClickOutside={false}
        transitionProps={{ duration: 0 }}
      >
        <Choices action={action} confirm={confirm} cancel={close} />
      </Modal>
    </>
  );
}

/**
 * How long the action is disabled after the dialog opened, in milliseconds, because the second
 * press of a double-click may hit it.
 */
const doubleClickTime = 500;

function Choices({
  action,
  confirm,
  cancel,
}: {
  action: string;
  confirm: () => void;
  cancel: () => void;
}) {
  const { t } = useTranslator();
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), doubleClickTime);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" data-autofocus onClick={cancel}>
        {t('action.cancel')}
      </Button>
      <Button color="red.9" disabled={!isReady} onClick={confirm}>
        {action}
      </Button>
    </Group>
  );
}
