import { Alert, Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useQuery } from 'urql';
import { useTranslator } from '../i18n';
import { problemText } from '../problem';

interface OfferedProps<Data, Variables> {
  readonly query: TypedDocumentNode<Data, Variables>;
  readonly variables: Variables;
  readonly label: string;
  readonly icon: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Offers a query that runs only when it is asked for, and again after an error. Its button is replaced by the result. */
export function Offered<Data, Variables extends AnyVariables>({ query, variables, label, icon, children }: OfferedProps<Data, Variables>) {
  const { t } = useTranslator();
  const [isAsked, setAsked] = useState(false);
  const [{ data, error, fetching }, repeat] = useQuery({ query, variables, pause: !isAsked, requestPolicy: 'network-only' });
  const shown = data && children(data);
  if (shown) {
    return shown;
  }
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" loading={fetching} leftSection={icon} onClick={() => (isAsked ? repeat({ requestPolicy: 'network-only' }) : setAsked(true))}>
        {label}
      </Button>
      {error && <Alert color="red">{problemText(error, t)}</Alert>}
    </Group>
  );
}
