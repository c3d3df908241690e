import { Alert, Badge, Button, Checkbox, Code, Group, Table, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import {
  type KeyRowFragment,
  MintKeyDocument,
  RevokeKeyDocument,
  RotateKeyDocument,
  type Scope,
  type SettingsQuery,
} from '../../graph/settings/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { PageLinks } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { SecretActions } from '../../ui/secretActions';
import { useAction } from '../../ui/useAction';

type KeyPage = NonNullable<NonNullable<SettingsQuery['viewer']>['workspace']>['keys'];

const scopes: readonly Scope[] = ['READ', 'WRITE', 'ADMIN'];

/** The keys of the workspace; the secret of a new one is shown once. */
export function ApiKeys({ page, reload }: { page: KeyPage; reload: () => void }) {
  const { t, name, ago, date } = useTranslator();
  const [secret, setSecret] = useState<string | null>(null);
  const show = (shown: string) => {
    setSecret(shown);
    reload();
  };
  return (
    <Panel title={t('settings.keys')}>
      <KeyForm show={show} />
      {secret && (
        <Alert
          m="md"
          color="green"
          title={t('keys.once')}
          withCloseButton
          closeButtonLabel={t('action.close')}
          onClose={() => setSecret(null)}
        >
          <Code data-secret>{secret}</Code>
        </Alert>
      )}
      <div className="wide" tabIndex={0} role="group" aria-label={t('settings.keys')}>
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              {(
                ['persona.name', 'keys.prefix', 'keys.scopes', 'keys.used', 'keys.expires'] as const
              ).map((key) => (
                <Table.Th key={key} scope="col">
                  {t(key)}
                </Table.Th>
              ))}
              <Table.Th scope="col">
                <span className="sr-only">{t('keys.actions')}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {page?.nodes.map((key) => (
              <Table.Tr key={key.id} data-key={key.id}>
                <Table.Th scope="row">{key.name}</Table.Th>
                <Table.Td>
                  <code>{key.prefix}…</code>
                </Table.Td>
                <Table.Td>{key.scopes.map((scope) => name('scope', scope)).join(', ')}</Table.Td>
                <Table.Td>{key.lastUsedAt ? ago(key.lastUsedAt) : '—'}</Table.Td>
                <Table.Td>
                  {key.revokedAt ? (
                    <Badge color="gray" variant="outline">
                      {t('keys.revoked')}
                    </Badge>
                  ) : key.expiresAt ? (
                    date(key.expiresAt)
                  ) : (
                    '—'
                  )}
                </Table.Td>
                <Table.Td>{!key.revokedAt && <KeyActions keyRow={key} show={show} />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <PageLinks name="keysAfter" page={page?.pageInfo} />
    </Panel>
  );
}

function KeyForm({ show }: { show: (secret: string) => void }) {
  const { t, name } = useTranslator();
  const [title, setTitle] = useState('');
  const [chosen, setChosen] = useState<string[]>(['READ']);
  const [{ fetching, error }, mint] = useMutation(MintKeyDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await mint({ input: { name: title, scopes: chosen as Scope[] } });
    if (data?.mintKey) {
      setTitle('');
      show(data.mintKey.secret);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate style={{ padding: '1rem' }}>
      <Group align="flex-start">
        <TextInput
          label={t('keys.name')}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
          error={fieldProblem(error, 'name')}
          style={{ flex: '1 1 12rem' }}
        />
        <Checkbox.Group
          label={t('keys.scopes')}
          value={chosen}
          onChange={setChosen}
          error={fieldProblem(error, 'scopes')}
        >
          <Group mt={8}>
            {scopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={name('scope', scope)} />
            ))}
          </Group>
        </Checkbox.Group>
        <Button type="submit" loading={fetching} mt={25}>
          {t('keys.add')}
        </Button>
      </Group>
      <RefusalAlert error={error} fields={['name', 'scopes']} />
    </form>
  );
}

function KeyActions({ keyRow, show }: { keyRow: KeyRowFragment; show: (secret: string) => void }) {
  const { t } = useTranslator();
  const rotate = useAction(RotateKeyDocument);
  const revoke = useAction(RevokeKeyDocument);
  const keyId = keyRow.id;
  const replace = async () => {
    const data = await rotate.run({ keyId });
    if (data?.rotateKey) {
      show(data.rotateKey.secret);
    }
  };
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <SecretActions
        subject={keyId}
        replace={{
          label: 'keys.rotate',
          hint: 'keys.rotateHint',
          fetching: rotate.fetching,
          run: replace,
        }}
        end={{
          label: 'keys.revoke',
          question: t('keys.revokeQuestion', { name: keyRow.name }),
          fetching: revoke.fetching,
          run: () => revoke.run({ keyId }),
        }}
      />
    </Group>
  );
}
