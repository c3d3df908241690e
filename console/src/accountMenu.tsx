import { Menu } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { IconCheck, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { FrameFragment } from './graph/graphql';
import { languages, useTranslator } from './i18n';
import { useChangeLanguage } from './languageContext';
import { signOut, switchWorkspace } from './session';
import { AccountButton } from './ui/accountButton';
import { useNotice } from './ui/notice';
import { confirmLeave } from './unsavedChanges';

/** The menu of the account: workspaces, language, sign-out. */
export default function AccountMenu({ frame }: { frame: FrameFragment | undefined }) {
  const { t, name, language } = useTranslator();
  const changeLanguage = useChangeLanguage();
  const viewer = frame?.viewer;
  const workspace = viewer?.workspace;
  const notify = useNotice();
  const leave = () => void signOut().catch(() => notify(t('account.signOutFailed'), true));
  // The menu returns the focus to its button, so it opens after the button has it.
  const isMounted = useMounted();
  const [isClosed, setClosed] = useState(false);
  return (
    <Menu
      position="bottom-end"
      width={260}
      opened={isMounted && !isClosed}
      onChange={(opened) => setClosed(!opened)}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <AccountButton autoFocus label={workspace?.name} />
      </Menu.Target>
      <Menu.Dropdown>
        {viewer && (
          <Menu.Label>
            {viewer.user?.name ?? viewer.key?.name} ·{' '}
            {viewer.scopes.map((scope) => name('scope', scope)).join(', ')}
          </Menu.Label>
        )}
        {viewer?.kind === 'USER' &&
          viewer.workspaces?.nodes.map((one) => (
            <Menu.Item
              key={one.workspaceId}
              leftSection={
                one.workspaceId === workspace?.id ? (
                  <IconCheck size={14} aria-hidden />
                ) : (
                  <span style={{ inlineSize: 14 }} />
                )
              }
              onClick={() => confirmLeave(() => switchWorkspace(one.workspaceId))}
            >
              {one.name}
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Label>{t('account.language')}</Menu.Label>
        {languages.map((one) => (
          <Menu.Item
            key={one}
            lang={one}
            leftSection={
              one === language ? (
                <IconCheck size={14} aria-hidden />
              ) : (
                <span style={{ inlineSize: 14 }} />
              )
            }
            onClick={() =>
              void changeLanguage(one).catch(() => notify(t('account.languageFailed'), true))
            }
          >
            {new Intl.DisplayNames(one, { type: 'language' }).of(one)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {viewer?.kind === 'USER' && (
          <Menu.Item
            component={Link}
            href="/account"
            leftSection={<IconUserCircle size={14} aria-hidden />}
          >
            {t('account.title')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconLogout size={14} aria-hidden />}
          onClick={() => confirmLeave(leave)}
        >
          {viewer?.kind === 'KEY' ? t('account.forgetKey') : t('account.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
