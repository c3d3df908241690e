import {
  IconChartDots3,
  IconFiles,
  IconFilter,
  IconHome,
  IconLink,
  IconMicrophone2,
  IconPencil,
  IconSettings,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { MessageKey } from './i18n';
import { type CodeModule, loadLater } from './ui/loadLater';
import { LoadingState } from './ui/screen';

/**
 * A screen: its path, its code, which loads with the first visit, and its place in the navigation,
 * if any.
 */
export interface ScreenRoute {
  readonly path: string;
  readonly component: ComponentType;
  readonly nav?: { readonly label: MessageKey; readonly icon: typeof IconHome };
}

const loadScreen = (load: () => Promise<CodeModule>) => loadLater(load, { waiting: LoadingState });

export const screens: readonly ScreenRoute[] = [
  {
    path: '/',
    component: loadScreen(() => import('./screens/home')),
    nav: { label: 'nav.home', icon: IconHome },
  },
  {
    path: '/documents',
    component: loadScreen(() => import('./screens/documents')),
    nav: { label: 'nav.documents', icon: IconFiles },
  },
  { path: '/documents/:id', component: loadScreen(() => import('./screens/document')) },
  {
    path: '/personas',
    component: loadScreen(() => import('./screens/personas')),
    nav: { label: 'nav.personas', icon: IconUsers },
  },
  { path: '/personas/:id', component: loadScreen(() => import('./screens/persona')) },
  {
    path: '/audience',
    component: loadScreen(() => import('./screens/audience')),
    nav: { label: 'nav.audience', icon: IconChartDots3 },
  },
  {
    path: '/executives',
    component: loadScreen(() => import('./screens/executives')),
    nav: { label: 'nav.executives', icon: IconMicrophone2 },
  },
  { path: '/executives/:name', component: loadScreen(() => import('./screens/executive')) },
  { path: '/comparisons/:id', component: loadScreen(() => import('./screens/comparison')) },
  {
    path: '/drafts',
    component: loadScreen(() => import('./screens/drafts')),
    nav: { label: 'nav.drafts', icon: IconPencil },
  },
  { path: '/drafts/:id', component: loadScreen(() => import('./screens/draft')) },
  {
    path: '/links',
    component: loadScreen(() => import('./screens/links')),
    nav: { label: 'nav.links', icon: IconLink },
  },
  { path: '/links/:id', component: loadScreen(() => import('./screens/link')) },
  {
    path: '/webhooks',
    component: loadScreen(() => import('./screens/webhooks')),
    nav: { label: 'nav.webhooks', icon: IconWebhook },
  },
  { path: '/webhooks/:id', component: loadScreen(() => import('./screens/webhook')) },
  {
    path: '/filters',
    component: loadScreen(() => import('./screens/filters')),
    nav: { label: 'nav.filters', icon: IconFilter },
  },
  {
    path: '/settings',
    component: loadScreen(() => import('./screens/settings')),
    nav: { label: 'nav.settings', icon: IconSettings },
  },
];
