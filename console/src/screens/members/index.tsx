import { Alert, Stack } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { failureCode, mayBeRefused } from '../../client';
import { MembersDocument, MembersToReadDocument } from '../../graph/members/graphql';
import { useTranslator } from '../../i18n';
import { useFrame } from '../../liveUpdates';
import { rememberedScopes } from '../../session';
import { PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen } from '../../ui/screen';
import { InviteForm } from './inviteForm';
import { InviteList } from './inviteList';
import { MemberTable } from './memberTable';
import { ShownLink, type NewLink } from './shownLink';

/**
 * The people who work in the workspace, and who is invited. A viewer who does not manage members
 * sees who they are. The rights may be unknown on a first screen or out of date; a response that
 * contradicts them is followed by the other request.
 */
export default function Members() {
  const scopes = useFrame()?.viewer?.scopes ?? rememberedScopes();
  const [isAdmin, setAdmin] = useState(scopes?.includes('ADMIN') ?? true);
  return isAdmin ? (
    <ManagedMembers deny={() => setAdmin(false)} />
  ) : (
    <ReadMembers admit={() => setAdmin(true)} />
  );
}

function ManagedMembers({ deny }: { deny: () => void }) {
  const { t } = useTranslator();
  const cursors = { after: usePageCursor(), invitesAfter: usePageCursor('invitesAfter') };
  const result = useScreen(MembersDocument, cursors, mayBeRefused);
  const [link, setLink] = useState<NewLink | null>(null);
  const code = failureCode(result);
  useEffect(() => {
    if (code === 'insufficient_scope') {
      deny();
    }
  }, [code, deny]);
  const show = (made: NewLink) => {
    setLink(made);
    result.retry();
  };
  return (
    <Screen title={t('nav.members')} lead={t('members.lead')} result={result}>
      {({ viewer }) => (
        <Stack gap="lg">
          <InviteForm show={show} />
          {link && <ShownLink made={link} close={() => setLink(null)} />}
          <Panel title={t('members.open')}>
            <InviteList
              rows={viewer?.workspace?.invites?.nodes ?? []}
              show={show}
              reload={result.retry}
            />
            <PageLinks name="invitesAfter" page={viewer?.workspace?.invites?.pageInfo} />
          </Panel>
          <Panel title={t('nav.members')}>
            <MemberTable
              rows={viewer?.workspace?.members?.nodes ?? []}
              own={viewer?.user?.id}
              manage={{ show, reload: result.retry }}
            />
            <PageLinks page={viewer?.workspace?.members?.pageInfo} />
          </Panel>
        </Stack>
      )}
    </Screen>
  );
}

function ReadMembers({ admit }: { admit: () => void }) {
  const { t } = useTranslator();
  const result = useScreen(MembersToReadDocument, { after: usePageCursor() });
  const mayAll = result.data?.viewer?.scopes.includes('ADMIN');
  useEffect(() => {
    if (mayAll) {
      admit();
    }
  }, [mayAll, admit]);
  return (
    <Screen title={t('nav.members')} lead={t('members.lead')} result={result}>
      {({ viewer }) => (
        <Stack gap="lg">
          <Alert color="gray" icon={<IconLock aria-hidden />} title={t('state.denied')}>
            {t('members.ownersOnly')}
          </Alert>
          <Panel title={t('nav.members')}>
            <MemberTable rows={viewer?.workspace?.members?.nodes ?? []} own={viewer?.user?.id} />
            <PageLinks page={viewer?.workspace?.members?.pageInfo} />
          </Panel>
        </Stack>
      )}
    </Screen>
  );
}
