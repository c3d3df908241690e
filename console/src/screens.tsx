import { Skeleton } from '@mantine/core';
import { IconChartDots3, IconFiles, IconFilter, IconHome, IconLink, IconMicrophone2, IconPencil, IconSettings, IconUsers, IconWebhook } from '@tabler/icons-react';
import { type ComponentType, Suspense, lazy, useState } from 'react';
import type { MessageKey } from './i18n';

/** A screen: its path, its place in the navigation if it has one, and its code, which is loaded with the first visit. */
export interface ScreenRoute {
  readonly path: string;
  readonly component: ComponentType;
  readonly nav?: { readonly label: MessageKey; readonly icon: typeof IconHome };
}

/** Returns a screen whose code is loaded with its first visit; after a failure, the next visit loads it again. */
function loadLater(load: () => Promise<{ default: ComponentType }>): ComponentType {
  const attempt = () =>
    load().catch((error: unknown) => {
      latest = lazy(attempt); // a lazy component keeps its failure
      throw error;
    });
  let latest = lazy(attempt);
  return function LoadedScreen() {
    const [Loaded] = useState(() => latest);
    return (
      <Suspense fallback={<Skeleton height={220} radius="md" />}>
        <Loaded />
      </Suspense>
    );
  };
}

export const screens: readonly ScreenRoute[] = [
  { path: '/', component: loadLater(() => import('./screens/home')), nav: { label: 'nav.home', icon: IconHome } },
  { path: '/documents', component: loadLater(() => import('./screens/documents')), nav: { label: 'nav.documents', icon: IconFiles } },
  { path: '/documents/:id', component: loadLater(() => import('./screens/document')) },
  { path: '/personas', component: loadLater(() => import('./screens/personas')), nav: { label: 'nav.personas', icon: IconUsers } },
  { path: '/personas/:id', component: loadLater(() => import('./screens/persona')) },
  { path: '/audience', component: loadLater(() => import('./screens/audience')), nav: { label: 'nav.audience', icon: IconChartDots3 } },
  { path: '/executives', component: loadLater(() => import('./screens/executives')), nav: { label: 'nav.executives', icon: IconMicrophone2 } },
  { path: '/executives/:name', component: loadLater(() => import('./screens/executive')) },
  { path: '/comparisons/:id', component: loadLater(() => import('./screens/comparison')) },
  { path: '/drafts', component: loadLater(() => import('./screens/drafts')), nav: { label: 'nav.drafts', icon: IconPencil } },
  { path: '/drafts/:id', component: loadLater(() => import('./screens/draft')) },
  { path: '/links', component: loadLater(() => import('./screens/links')), nav: { label: 'nav.links', icon: IconLink } },
  { path: '/links/:id', component: loadLater(() => import('./screens/link')) },
  { path: '/webhooks', component: loadLater(() => import('./screens/webhooks')), nav: { label: 'nav.webhooks', icon: IconWebhook } },
  { path: '/webhooks/:id', component: loadLater(() => import('./screens/webhook')) },
  { path: '/filters', component: loadLater(() => import('./screens/filters')), nav: { label: 'nav.filters', icon: IconFilter } },
  { path: '/settings', component: loadLater(() => import('./screens/settings')), nav: { label: 'nav.settings', icon: IconSettings } },
];
