import { ActionIcon, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { type TypedDocumentNode, useMutation } from 'urql';
import { useTranslator } from '../i18n';
import { fieldProblem } from '../problemText';
import { GuardedButton } from './guardedButton';
import { useNotice } from './notice';
import { Panel } from './panel';
import { RefusalAlert } from './refusalAlert';
import { useAction } from './useAction';

/** A company or an executive. */
interface Named {
  readonly id: string;
  readonly name: string;
  readonly aliases?: readonly string[] | null | undefined;
}

interface NamesProps {
  readonly of: Named;
  readonly mayWrite: boolean | undefined;
  /** Mutations whose responses have the names after the change. */
  readonly rename: TypedDocumentNode<unknown, { id: string; name: string }>;
  readonly addAlias: TypedDocumentNode<unknown, { id: string; alias: string }>;
  readonly removeAlias: TypedDocumentNode<unknown, { id: string; alias: string }>;
  /** Is called with the new name, which the screen's address has. */
  readonly renamed: (name: string) => void;
}

/** The name and the aliases of a company or an executive, and the ways to change them. */
export function NamesPanel({ of, mayWrite, rename, addAlias, removeAlias, renamed }: NamesProps) {
  const { t } = useTranslator();
  return (
    <Panel title={t('names.title')}>
      <Stack p="md" gap="md">
        <RenameForm key={of.name} of={of} mayWrite={mayWrite} rename={rename} renamed={renamed} />
        <Aliases of={of} mayWrite={mayWrite} remove={removeAlias} />
        <AliasForm of={of} mayWrite={mayWrite} add={addAlias} />
      </Stack>
    </Panel>
  );
}

function RenameForm({
  of,
  mayWrite,
  rename,
  renamed,
}: Pick<NamesProps, 'of' | 'mayWrite' | 'rename' | 'renamed'>) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [name, setName] = useState(of.name);
  const [{ fetching, error }, change] = useMutation(rename);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const result = await change({ id: of.id, name });
    if (!result.error) {
      notify(t('names.renamed', { name: of.name }));
      renamed(name.trim());
    }
  };
  const isChanged = name.trim() !== of.name;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t('names.name')}
          description={t('names.renameHint')}
          value={name}
          readOnly={!mayWrite}
          dir="auto"
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldProblem(error, 'name')}
          style={{ flex: '1 1 10rem' }}
        />
        <GuardedButton
          allowed={mayWrite && isChanged}
          reason={mayWrite ? 'filters.unchanged' : 'guard.write'}
          type="submit"
          variant="light"
          loading={fetching}
        >
          {t('names.rename')}
        </GuardedButton>
      </Group>
      <RefusalAlert error={error} fields={['name']} />
    </form>
  );
}

function Aliases({
  of,
  mayWrite,
  remove,
}: Pick<NamesProps, 'of' | 'mayWrite'> & { remove: NamesProps['removeAlias'] }) {
  const { t } = useTranslator();
  const { run, fetching } = useAction(remove);
  const box = useRef<HTMLDivElement>(null);
  const aliases = of.aliases ?? [];
  const drop = async (alias: string) => {
    if (await run({ id: of.id, alias })) {
      box.current?.focus(); // the button with the focus is gone
    }
  };
  return (
    <div ref={box} tabIndex={-1}>
      <Text size="sm" fw={550}>
        {t('names.aliases')}
      </Text>
      {aliases.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('names.noAliases')}
        </Text>
      ) : (
        <ul className="plain-list" aria-label={t('names.aliases')}>
          {aliases.map((alias) => (
            <li key={alias}>
              <Group justify="space-between" wrap="nowrap" gap="xs">
                <Text size="sm" dir="auto">
                  {alias}
                </Text>
                {mayWrite && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    title={t('names.removeAlias', { alias })}
                    aria-label={t('names.removeAlias', { alias })}
                    disabled={fetching}
                    onClick={() => void drop(alias)}
                  >
                    <IconX size={14} aria-hidden />
                  </ActionIcon>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function AliasForm({
  of,
  mayWrite,
  add,
}: Pick<NamesProps, 'of' | 'mayWrite'> & { add: NamesProps['addAlias'] }) {
  const { t } = useTranslator();
  const [alias, setAlias] = useState('');
  const [{ fetching, error }, run] = useMutation(add);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const result = await run({ id: of.id, alias });
    if (!result.error) {
      setAlias('');
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t('names.newAlias')}
          description={t('names.newAliasHint')}
          value={alias}
          readOnly={!mayWrite}
          dir="auto"
          onChange={(event) => setAlias(event.currentTarget.value)}
          error={fieldProblem(error, 'alias')}
          style={{ flex: '1 1 10rem' }}
        />
        <GuardedButton allowed={mayWrite} type="submit" variant="light" loading={fetching}>
          {t('names.addAlias')}
        </GuardedButton>
      </Group>
      <RefusalAlert error={error} fields={['alias']} />
    </form>
  );
}
