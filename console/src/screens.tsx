import { IconChartDots3, IconFiles, IconFilter, IconHome, IconLink, IconMicrophone2, IconPencil, IconSettings, IconUsers, IconWebhook } from '@tabler/icons-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { MessageKey } from './i18n';

/** A screen: its path, its place in the navigation if it has one, and its code, which is loaded with the first visit. */
export interface ScreenRoute {
  readonly path: string;
  readonly component: LazyExoticComponent<ComponentType>;
  readonly nav?: { readonly label: MessageKey; readonly icon: typeof IconHome };
}

export const screens: readonly ScreenRoute[] = [
  { path: '/', component: lazy(() => import('./screens/home')), nav: { label: 'nav.home', icon: IconHome } },
  { path: '/documents', component: lazy(() => import('./screens/documents')), nav: { label: 'nav.documents', icon: IconFiles } },
  { path: '/documents/:id', component: lazy(() => import('./screens/document')) },
  { path: '/personas', component: lazy(() => import('./screens/personas')), nav: { label: 'nav.personas', icon: IconUsers } },
  { path: '/personas/:id', component: lazy(() => import('./screens/persona')) },
  { path: '/audience', component: lazy(() => import('./screens/audience')), nav: { label: 'nav.audience', icon: IconChartDots3 } },
  { path: '/executives', component: lazy(() => import('./screens/executives')), nav: { label: 'nav.executives', icon: IconMicrophone2 } },
  { path: '/executives/:name', component: lazy(() => import('./screens/executive')) },
  { path: '/comparisons/:id', component: lazy(() => import('./screens/comparison')) },
  { path: '/drafts', component: lazy(() => import('./screens/drafts')), nav: { label: 'nav.drafts', icon: IconPencil } },
  { path: '/drafts/:id', component: lazy(() => import('./screens/draft')) },
  { path: '/links', component: lazy(() => import('./screens/links')), nav: { label: 'nav.links', icon: IconLink } },
  { path: '/links/:id', component: lazy(() => import('./screens/link')) },
  { path: '/webhooks', component: lazy(() => import('./screens/webhooks')), nav: { label: 'nav.webhooks', icon: IconWebhook } },
  { path: '/webhooks/:id', component: lazy(() => import('./screens/webhook')) },
  { path: '/filters', component: lazy(() => import('./screens/filters')), nav: { label: 'nav.filters', icon: IconFilter } },
  { path: '/settings', component: lazy(() => import('./screens/settings')), nav: { label: 'nav.settings', icon: IconSettings } },
];
