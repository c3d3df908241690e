import { Badge, Group, Text } from '@mantine/core';
import {
  type InviteRowFragment,
  RenewInviteDocument,
  RevokeInviteDocument,
} from '../../graph/members/graphql';
import { useTranslator } from '../../i18n';
import { EmptyPage } from '../../ui/pageLinks';
import { SecretActions } from '../../ui/secretActions';
import { useAction } from '../../ui/useAction';
import { sendsMail } from '../../session';
import type { NewLink } from './shownLink';

interface ListProps {
  readonly rows: readonly InviteRowFragment[];
  readonly show: (made: NewLink) => void;
  readonly reload: () => void;
}

/** The invites that nobody has accepted yet. */
export function InviteList({ rows, show, reload }: ListProps) {
  const { t, name, date } = useTranslator();
  if (rows.length === 0) {
    return <EmptyPage name="invitesAfter" title={t('members.noneOpen')} />;
  }
  return (
    <ul className="rows">
      {rows.map((invite) => {
        const isOver = new Date(invite.expiresAt) < new Date();
        return (
          <li key={invite.id} data-invite={invite.id}>
            <Group justify="space-between">
              <div>
                <Text fw={550} dir="auto">
                  {[invite.name, invite.email].filter(Boolean).join(' · ')}
                </Text>
                <Text size="sm" c="dimmed">
                  {[
                    invite.invitedBy && t('members.invitedBy', { name: invite.invitedBy.name }),
                    invite.mailState && name('mailState', invite.mailState),
                    t(isOver ? 'members.expired' : 'members.until', {
                      date: date(invite.expiresAt),
                    }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
                {invite.mailError && (
                  <Text size="sm" dir="auto">
                    {invite.mailError}
                  </Text>
                )}
              </div>
              <Group gap={4}>
                <Badge variant="light">{name('role', invite.role)}</Badge>
                <InviteActions invite={invite} show={show} reload={reload} />
              </Group>
            </Group>
          </li>
        );
      })}
    </ul>
  );
}

function InviteActions({
  invite,
  show,
  reload,
}: Omit<ListProps, 'rows'> & { invite: InviteRowFragment }) {
  const { t } = useTranslator();
  const renew = useAction(RenewInviteDocument);
  const revoke = useAction(RevokeInviteDocument);
  const inviteId = invite.id;
  const sendAnew = async () => {
    const isMailed = sendsMail && invite.mailState !== null;
    const data = await renew.run({ input: { inviteId, sendMail: isMailed } });
    if (data?.renewInvite) {
      show({ person: invite.email, address: data.renewInvite.link, isMailed });
    }
  };
  return (
    <SecretActions
      subject={inviteId}
      replace={{
        label: 'members.renew',
        hint: 'members.renewHint',
        fetching: renew.fetching,
        run: sendAnew,
      }}
      end={{
        label: 'members.revoke',
        question: t('members.revokeQuestion', { name: invite.email }),
        fetching: revoke.fetching,
        run: () => revoke.run({ inviteId }).then(reload),
      }}
    />
  );
}
