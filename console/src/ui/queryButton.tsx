import { Alert, Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useQuery } from 'urql';
import { useTranslator } from '../i18n';
import { problemText } from '../problemText';

interface QueryButtonProps<Data, Variables> {
  readonly query: TypedDocumentNode<Data, Variables>;
  readonly variables: Variables;
  readonly label: string;
  readonly icon: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** A button that runs a query, and again after an error. The result replaces it. */
export function QueryButton<Data, Variables extends AnyVariables>({
  query,
  variables,
  label,
  icon,
  children,
}: QueryButtonProps<Data, Variables>) {
  const { t } = useTranslator();
  const [isStarted, setStarted] = useState(false);
  const [{ data, error, fetching }, repeat] = useQuery({
    query,
    variables,
    pause: !isStarted,
    requestPolicy: 'network-only',
  });
  const shown = data && children(data);
  if (shown) {
    return shown;
  }
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        loading={fetching}
        leftSection={icon}
        onClick={() => (isStarted ? repeat({ requestPolicy: 'network-only' }) : setStarted(true))}
      >
        {label}
      </Button>
      {error && <Alert color="red">{problemText(error, t)}</Alert>}
    </Group>
  );
}
