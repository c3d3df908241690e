import { Menu } from '@mantine/core';
import { IconCheck, IconLogout } from '@tabler/icons-react';
import type { FrameFragment } from './graph/graphql';
import { type Language, languages, useTranslator } from './i18n';
import { AccountButton } from './ui/account';
import { confirmLeave } from './unsaved';
import { useChangeLanguage } from './language';
import { signOut, switchWorkspace } from './session';

/** The menu of the account: workspaces, language, sign-out. */
export default function AccountMenu({ frame }: { frame: FrameFragment | undefined }) {
  const { t, name, language } = useTranslator();
  const changeLanguage = useChangeLanguage();
  const viewer = frame?.viewer;
  const workspace = viewer?.workspace;
  return (
    <Menu position="bottom-end" width={260} defaultOpened>
      <Menu.Target>
        <AccountButton label={workspace?.name} />
      </Menu.Target>
      <Menu.Dropdown>
        {viewer && (
          <Menu.Label>
            {viewer.user?.name ?? viewer.key?.name} · {viewer.scopes.map((scope) => name('scope', scope)).join(', ')}
          </Menu.Label>
        )}
        {viewer?.kind === 'USER' &&
          viewer.workspaces?.nodes.map((one) => (
            <Menu.Item
              key={one.workspaceId}
              leftSection={one.workspaceId === workspace?.id ? <IconCheck size={14} aria-hidden /> : <span style={{ inlineSize: 14 }} />}
              onClick={() => confirmLeave(() => switchWorkspace(one.workspaceId))}
            >
              {one.name}
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Label>{t('account.language')}</Menu.Label>
        {(Object.keys(languages) as Language[]).map((one) => (
          <Menu.Item key={one} lang={one} leftSection={one === language ? <IconCheck size={14} aria-hidden /> : <span style={{ inlineSize: 14 }} />} onClick={() => changeLanguage(one)}>
            {languages[one]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={14} aria-hidden />} onClick={() => confirmLeave(() => void signOut())}>
          {viewer?.kind === 'KEY' ? t('account.forgetKey') : t('account.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
