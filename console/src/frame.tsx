import { ActionIcon, Badge, Button, Group, Text, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconApi, IconBook2, IconMenu2, IconMoon, IconSun } from '@tabler/icons-react';
import { Fragment, Suspense, lazy, useEffect, useState } from 'react';
import { Link, Route, Switch, useLocation, useSearch } from 'wouter';
import { useConnected } from './connection';
import type { FrameFragment } from './graph/graphql';
import { useTranslator } from './i18n';
import { LiveUpdates, useFrame } from './live';
import { screens } from './screens';
import { AccountButton } from './ui/account';
import { ScreenBoundary } from './ui/boundary';
import { EmptyState } from './ui/screen';

const AccountMenu = lazy(() => import('./account'));

/** The head and the navigation around every screen. Without isLive it has no subscriptions. */
export function Frame({ isLive }: { isLive: boolean }) {
  const { t } = useTranslator();
  const frame = useFrame();
  const [opened, setOpened] = useState(false);
  const [path] = useLocation();
  useEffect(() => setOpened(false), [path]);
  return (
    <>
      {isLive && frame?.eventCursor && <LiveUpdates cursor={frame.eventCursor} />}
      <header className="frame-head">
        <Group gap="sm" wrap="nowrap">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            hiddenFrom="sm"
            aria-label={t('nav.menu')}
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            <IconMenu2 size={20} aria-hidden />
          </ActionIcon>
          <Text component={Link} href="/" fw={750} size="lg" c="inherit" style={{ textDecoration: 'none', letterSpacing: '-0.02em' }}>
            Rostrum
          </Text>
          <LiveBadge />
        </Group>
        <Group gap="xs" wrap="nowrap">
          <SchemeToggle />
          <Account frame={frame} />
        </Group>
      </header>
      <nav className="frame-nav" aria-label={t('nav.title')} data-opened={opened || undefined}>
        <Navigation path={path} />
      </nav>
      <main className="frame-main">
        <CurrentScreen path={path} />
      </main>
    </>
  );
}

/** The screen of the address. A screen of another object begins anew, so that nothing of the one before is shown for it. */
function CurrentScreen({ path }: { path: string }) {
  const { t } = useTranslator();
  const search = useSearch();
  return (
    <ScreenBoundary address={`${path}?${search}`}>
      <Fragment key={path}>
        <Switch>
          {screens.map(({ path: pattern, component }) => (
            <Route key={pattern} path={pattern} component={component} />
          ))}
          <Route>
            <EmptyState
              title={t('state.noScreen')}
              action={
                <Button component={Link} href="/">
                  {t('nav.home')}
                </Button>
              }
            />
          </Route>
        </Switch>
      </Fragment>
    </ScreenBoundary>
  );
}

function Navigation({ path }: { path: string }) {
  const { t } = useTranslator();
  return (
    <>
      <div style={{ flex: 1 }}>
        {screens.map(({ path: target, nav }) => {
          const active = target === '/' ? path === '/' : path.startsWith(target);
          return (
            nav && (
              <Link key={target} className="nav-item" href={target} aria-current={active ? 'page' : undefined}>
                <nav.icon size={18} stroke={1.7} aria-hidden />
                {t(nav.label)}
              </Link>
            )
          );
        })}
      </div>
      <a className="nav-item" href="/playground">
        <IconApi size={18} stroke={1.7} aria-hidden />
        GraphiQL
      </a>
      <a className="nav-item" href="/docs">
        <IconBook2 size={18} stroke={1.7} aria-hidden />
        {t('nav.docs')}
      </a>
    </>
  );
}

function LiveBadge() {
  const { t } = useTranslator();
  const connected = useConnected();
  return (
    <Badge variant="dot" color={connected ? 'green' : 'gray'} visibleFrom="xs" data-connected={connected}>
      {connected ? t('live.on') : t('live.off')}
    </Badge>
  );
}

function SchemeToggle() {
  const { t } = useTranslator();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      title={t('theme.toggle')}
      aria-label={t('theme.toggle')}
      onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
    >
      {scheme === 'dark' ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />}
    </ActionIcon>
  );
}

function Account({ frame }: { frame: FrameFragment | undefined }) {
  const [used, setUsed] = useState(false);
  const button = <AccountButton label={frame?.viewer?.workspace?.name} aria-haspopup="menu" onClick={() => setUsed(true)} />;
  return used ? (
    <Suspense fallback={button}>
      <AccountMenu frame={frame} />
    </Suspense>
  ) : (
    button
  );
}
