import { Group, NativeSelect, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { DeleteGroupDocument, MovePersonaDocument } from '../../graph/groups/graphql';
import { focusHeading } from '../../headingFocus';
import { useTranslator } from '../../i18n';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';
import type { AudienceGroup, GroupPersona } from './groups';

interface GroupProps {
  readonly group: AudienceGroup;
  readonly mayWrite: boolean | undefined;
  readonly reload: () => void;
}

/** The personas of a group, and the way to move another one into it. */
export function Members({
  group,
  personas,
  mayWrite,
  reload,
}: GroupProps & { personas: readonly GroupPersona[] }) {
  const { t } = useTranslator();
  const members = group.personas?.nodes ?? [];
  const more = (group.personas?.totalCount ?? 0) - members.length;
  return (
    <>
      <Text size="sm" component="div">
        {members.length === 0 && t('groups.empty')}
        {members.map(({ id, name }, i) => (
          <span key={id}>
            {i > 0 && ', '}
            <ScreenLink isInText to={`/personas/${id}`}>
              {name}
            </ScreenLink>
          </span>
        ))}
        {more > 0 && ` ${t('filters.andMore', { count: more })}`}
      </Text>
      {mayWrite && (
        <MoveForm
          group={group}
          others={personas.filter(({ category }) => category !== group.name)}
          reload={reload}
        />
      )}
    </>
  );
}

interface MoveProps {
  readonly group: AudienceGroup;
  readonly others: readonly GroupPersona[];
  readonly reload: () => void;
}

function MoveForm({ group, others, reload }: MoveProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [chosen, setChosen] = useState('');
  const { run, fetching } = useAction(MovePersonaDocument);
  const persona = others.find(({ id }) => id === chosen);
  if (others.length === 0) {
    return null;
  }
  const title = group.displayName || group.name;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (persona && (await run({ personaId: persona.id, category: group.name }))) {
      setChosen('');
      notify(t('groups.moved', { persona: persona.name, group: title }));
      reload();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Group align="flex-end" gap="xs">
        <NativeSelect
          size="xs"
          label={t('groups.move')}
          aria-label={t('groups.moveTo', { group: title })}
          value={persona?.id ?? ''}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={[
            { value: '', label: t('groups.choosePersona') },
            ...others.map(({ id, name, category }) => ({
              value: id,
              label: `${name} (${category})`,
            })),
          ]}
          maw="100%"
        />
        <GuardedButton
          allowed={persona !== undefined}
          reason="groups.choosePersona"
          type="submit"
          size="xs"
          variant="light"
          loading={fetching}
          aria-label={t('groups.moveTo', { group: title })}
        >
          {t('groups.moveAction')}
        </GuardedButton>
      </Group>
    </form>
  );
}

/** Deletes a group without personas; others say why they cannot be deleted. */
export function DeleteGroup({ group, mayWrite, reload }: GroupProps) {
  const { t } = useTranslator();
  const { run, fetching } = useAction(DeleteGroupDocument);
  const name = group.displayName || group.name;
  const style = { size: 'compact-xs', variant: 'subtle', color: 'red' } as const;
  if (mayWrite && (group.personas?.totalCount ?? 0) > 0) {
    return (
      <GuardedButton
        {...style}
        allowed={false}
        reason="groups.hasPersonas"
        aria-label={t('groups.deleteOf', { name })}
      >
        {t('action.delete')}
      </GuardedButton>
    );
  }
  const erase = async () => {
    if (await run({ groupId: group.id })) {
      focusHeading();
      reload();
    }
  };
  return (
    <ConfirmedButton
      {...style}
      allowed={mayWrite ?? false}
      loading={fetching}
      subject={group.id}
      action={t('action.delete')}
      aria-label={t('groups.deleteOf', { name })}
      question={t('action.deleteQuestion', { name })}
      run={erase}
    />
  );
}
