import { Group, NativeSelect, Table, Text } from '@mantine/core';
import {
  type MemberOfListFragment,
  RemoveMemberDocument,
  ResetPasswordDocument,
  ResetSecondFactorDocument,
  type Role,
  UpdateMemberDocument,
} from '../../graph/members/graphql';
import { useTranslator } from '../../i18n';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { EmptyPage } from '../../ui/pageLinks';
import { SecretActions } from '../../ui/secretActions';
import { useAction } from '../../ui/useAction';
import { roles } from './roles';
import type { NewLink } from './shownLink';

interface Manage {
  readonly show: (made: NewLink) => void;
  readonly reload: () => void;
}

/** A member; only an owner is told about the second factor. */
type Row = MemberOfListFragment & { readonly hasSecondFactor?: boolean };

interface TableProps {
  readonly rows: readonly Row[];
  /** The id of the signed-in user. */
  readonly own: string | undefined;
  /** What an owner does; undefined for others. */
  readonly manage?: Manage;
}

const nameOf = ({ user }: MemberOfListFragment) =>
  user?.name || (user as { email?: string } | null)?.email || '';

/** The members with role, when they joined and when they were last seen. */
export function MemberTable({ rows, own, manage }: TableProps) {
  const { t, name, ago, date } = useTranslator();
  if (rows.length === 0) {
    return <EmptyPage title={t('settings.noMembers')} hint={t('members.noneHint')} />;
  }
  return (
    <div className="wide" tabIndex={0} role="group" aria-label={t('nav.members')}>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            {(['members.name', 'members.role', 'members.seen', 'members.joined'] as const).map(
              (key) => (
                <Table.Th key={key} scope="col">
                  {t(key)}
                </Table.Th>
              ),
            )}
            {manage && (
              <Table.Th scope="col">
                <span className="sr-only">{t('keys.actions')}</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((member) => (
            <Table.Tr key={member.id} data-member={member.id}>
              <Table.Th scope="row" dir="auto">
                {nameOf(member)}
                {own !== undefined && member.user?.id === own && ` (${t('members.you')})`}
                <Text size="sm" c="dimmed" fw={400}>
                  {(member.user as { email?: string } | null)?.email}
                </Text>
              </Table.Th>
              <Table.Td>
                {manage ? (
                  <RoleSelect member={member} reload={manage.reload} />
                ) : (
                  name('role', member.role)
                )}
              </Table.Td>
              <Table.Td>{member.lastSeenAt ? ago(member.lastSeenAt) : t('members.never')}</Table.Td>
              <Table.Td>{date(member.joinedAt)}</Table.Td>
              {manage && (
                <Table.Td>
                  <MemberActions member={member} {...manage} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function RoleSelect({ member, reload }: { member: MemberOfListFragment; reload: () => void }) {
  const { t, name } = useTranslator();
  const update = useAction(UpdateMemberDocument);
  const change = async (role: Role) => {
    await update.run({ input: { memberId: member.id, role } });
    reload();
  };
  return (
    <NativeSelect
      aria-label={t('members.roleOf', { name: nameOf(member) })}
      value={member.role}
      disabled={update.fetching}
      onChange={(event) => void change(event.currentTarget.value as Role)}
      data={roles.map((one) => ({ value: one, label: name('role', one) }))}
    />
  );
}

function MemberActions({ member, show, reload }: Manage & { member: Row }) {
  const { t } = useTranslator();
  const remove = useAction(RemoveMemberDocument);
  const reset = useAction(ResetPasswordDocument);
  const memberId = member.id;
  const makeLink = async () => {
    const data = await reset.run({ memberId });
    if (data?.resetPassword) {
      show({ person: nameOf(member), address: data.resetPassword.link, isMailed: false });
    }
  };
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {member.hasSecondFactor && <FactorReset member={member} reload={reload} />}
      <SecretActions
        subject={memberId}
        replace={{
          label: 'members.reset',
          hint: 'members.resetHint',
          fetching: reset.fetching,
          run: makeLink,
        }}
        end={{
          label: 'members.remove',
          question: t('members.removeQuestion', { name: nameOf(member) }),
          fetching: remove.fetching,
          run: () => remove.run({ memberId }).then(reload),
        }}
      />
    </Group>
  );
}

/** Turns the second factor of a member off who has lost it. */
function FactorReset({ member, reload }: { member: Row; reload: () => void }) {
  const { t } = useTranslator();
  const reset = useAction(ResetSecondFactorDocument);
  return (
    <ConfirmedButton
      size="compact-xs"
      variant="subtle"
      loading={reset.fetching}
      subject={member.id}
      action={t('factor.reset')}
      question={t('factor.resetQuestion', { name: nameOf(member) })}
      run={() => void reset.run({ memberId: member.id }).then(reload)}
    />
  );
}
