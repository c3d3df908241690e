import {
  ActionIcon,
  Badge,
  Button,
  Group,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconApi, IconBook2, IconMenu2, IconMoon, IconSun } from '@tabler/icons-react';
import { Fragment, type MouseEvent, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, Route, Switch, useLocation, useSearch } from 'wouter';
import { useConnected } from './connection';
import type { FrameFragment } from './graph/graphql';
import { focusHeading, useHeadingFocus } from './headingFocus';
import { useTranslator } from './i18n';
import { useKeptFocus } from './keptFocus';
import { KeyOffer } from './keyOffer';
import { LiveUpdates, useFrame } from './liveUpdates';
import { screens } from './screenRoutes';
import { AccountButton } from './ui/accountButton';
import { loadLater } from './ui/loadLater';
import { EmptyState } from './ui/screen';
import { ScreenBoundary } from './ui/screenBoundary';

const AccountMenu = loadLater(() => import('./accountMenu'), {
  waiting: WaitingAccount,
  isFloating: true,
});

/** The head and the navigation around every screen. Without isLive it has no subscriptions. */
export function Frame({ isLive }: { isLive: boolean }) {
  const { t } = useTranslator();
  const frame = useFrame();
  const [path] = useLocation();
  const { isOpen, button, toggle, close } = useNavigationMenu(path);
  useHeadingFocus(path, isLive && !isOpen);
  useKeptFocus();
  const skip = (event: MouseEvent) => {
    event.preventDefault(); // the address keeps its place in the history
    focusHeading();
  };
  return (
    <>
      <a className="skip-link" href="#main" onClick={skip}>
        {t('nav.skip')}
      </a>
      {isLive && frame?.viewer && <KeyOffer workspace={frame.viewer.workspace?.name ?? ''} />}
      {isLive && frame?.eventCursor && <LiveUpdates cursor={frame.eventCursor} />}
      <header className="frame-head" aria-label="Rostrum">
        <Group gap="sm" wrap="nowrap">
          <ActionIcon
            ref={button}
            variant="subtle"
            color="gray"
            size="lg"
            hiddenFrom="sm"
            aria-label={t('nav.menu')}
            aria-expanded={isOpen}
            onClick={toggle}
          >
            <IconMenu2 size={20} aria-hidden />
          </ActionIcon>
          <Text
            component={Link}
            href="/"
            fw={750}
            size="lg"
            c="inherit"
            style={{ textDecoration: 'none', letterSpacing: '-0.02em' }}
          >
            Rostrum
          </Text>
          <LiveBadge />
        </Group>
        <Group gap="xs" wrap="nowrap">
          <SchemeToggle />
          <Account frame={frame} />
        </Group>
      </header>
      <nav className="frame-nav" aria-label={t('nav.title')} data-opened={isOpen || undefined}>
        <Navigation path={path} close={close} />
      </nav>
      <main className="frame-main" id="main" inert={isOpen}>
        <CurrentScreen path={path} />
      </main>
    </>
  );
}

/** The menu of a small window. It covers the screen; Escape closes it and returns the focus. */
function useNavigationMenu(path: string) {
  const isWide = useMediaQuery('(min-width: 48em)');
  const place = `${path} ${isWide}`;
  const [menu, setMenu] = useState({ place, opened: false });
  if (menu.place !== place) {
    setMenu({ place, opened: false }); // another screen or another width closes it
  }
  const setOpened = useCallback(
    (opened: boolean) => setMenu((before) => ({ ...before, opened })),
    [],
  );
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = menu.opened && !isWide;
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        setOpened(false);
        button.current?.focus();
      }
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [isOpen, setOpened]);
  const close = (isSame: boolean) => {
    if (isOpen && isSame) {
      flushSync(() => setOpened(false)); // the screen cannot have the focus before
      focusHeading();
    }
  };
  return { isOpen, button, toggle: () => setOpened(!menu.opened), close };
}

/**
 * The screen of the address. Another path gets a new component, so no state of the last object is
 * left.
 */
function CurrentScreen({ path }: { path: string }) {
  const search = useSearch();
  return (
    <ScreenBoundary address={`${path}?${search}`}>
      <Fragment key={path}>
        <Switch>
          {screens.map(({ path: pattern, component }) => (
            <Route key={pattern} path={pattern} component={component} />
          ))}
          <Route component={NoScreen} />
        </Switch>
      </Fragment>
    </ScreenBoundary>
  );
}

function NoScreen() {
  const { t } = useTranslator();
  return (
    <div aria-busy={false}>
      <EmptyState
        title={t('state.noScreen')}
        action={
          <Button component={Link} href="/">
            {t('nav.home')}
          </Button>
        }
      />
    </div>
  );
}

function Navigation({ path, close }: { path: string; close: (isSame: boolean) => void }) {
  const { t } = useTranslator();
  return (
    <>
      <div style={{ flex: 1 }}>
        {screens.map(({ path: target, nav }) => {
          const active = target === '/' ? path === '/' : path.startsWith(target);
          return (
            nav && (
              <Link
                key={target}
                className="nav-item"
                href={target}
                onClick={() => close(target === path)}
                aria-current={active ? 'page' : undefined}
              >
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
      <a className="nav-item" href="/guide/">
        <IconBook2 size={18} stroke={1.7} aria-hidden />
        {t('nav.guide')}
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
    <Badge
      variant="dot"
      color={connected ? 'green' : 'gray'}
      visibleFrom="xs"
      data-connected={connected}
    >
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

interface AccountProps {
  readonly frame: FrameFragment | undefined;
}

function Account({ frame }: AccountProps) {
  const [used, setUsed] = useState(false);
  return used ? (
    <AccountMenu frame={frame} />
  ) : (
    <AccountButton
      label={frame?.viewer?.workspace?.name}
      aria-haspopup="menu"
      onClick={() => setUsed(true)}
    />
  );
}

/**
 * The button while the code of its menu loads. It takes over the focus of the button that it
 * replaces.
 */
function WaitingAccount({ frame }: AccountProps) {
  return <AccountButton autoFocus label={frame?.viewer?.workspace?.name} aria-haspopup="menu" />;
}
