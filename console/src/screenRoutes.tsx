import {
  IconBookmark,
  IconBuilding,
  IconChartDots3,
  IconFiles,
  IconFilter,
  IconHome,
  IconLink,
  IconMicrophone2,
  IconPencil,
  IconQuote,
  IconRss,
  IconSettings,
  IconUsers,
  IconUsersGroup,
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
    component: loadLater(() => import('./screens/home'), { waiting: LoadingState, isFirst: true }),
    nav: { label: 'nav.home', icon: IconHome },
  },
  {
    path: '/documents',
    component: loadScreen(() => import('./screens/documents')),
    nav: { label: 'nav.documents', icon: IconFiles },
  },
  {
    path: '/searches',
    component: loadScreen(() => import('./screens/searches')),
    nav: { label: 'nav.searches', icon: IconBookmark },
  },
  { path: '/searches/:id', component: loadScreen(() => import('./screens/search')) },
  { path: '/trash', component: loadScreen(() => import('./screens/trash')) },
  { path: '/documents/:id', component: loadScreen(() => import('./screens/document')) },
  {
    path: '/sources',
    component: loadScreen(() => import('./screens/sources')),
    nav: { label: 'nav.sources', icon: IconRss },
  },
  { path: '/sources/:id', component: loadScreen(() => import('./screens/source')) },
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
  { path: '/audience/groups', component: loadScreen(() => import('./screens/groups')) },
  {
    path: '/executives',
    component: loadScreen(() => import('./screens/executives')),
    nav: { label: 'nav.executives', icon: IconMicrophone2 },
  },
  {
    path: '/quotes',
    component: loadScreen(() => import('./screens/quotes')),
    nav: { label: 'nav.quotes', icon: IconQuote },
  },
  { path: '/executives/:name', component: loadScreen(() => import('./screens/executive')) },
  {
    path: '/companies',
    component: loadScreen(() => import('./screens/companies')),
    nav: { label: 'nav.companies', icon: IconBuilding },
  },
  { path: '/companies/:name', component: loadScreen(() => import('./screens/company')) },
  { path: '/comparisons/:id', component: loadScreen(() => import('./screens/comparison')) },
  {
    path: '/drafts',
    component: loadScreen(() => import('./screens/drafts')),
    nav: { label: 'nav.drafts', icon: IconPencil },
  },
  { path: '/house-rules', component: loadScreen(() => import('./screens/houseRules')) },
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
  { path: '/filters/tags/:id', component: loadScreen(() => import('./screens/tag')) },
  { path: '/filters/:id', component: loadScreen(() => import('./screens/filter')) },
  {
    path: '/members',
    component: loadScreen(() => import('./screens/members')),
    nav: { label: 'nav.members', icon: IconUsersGroup },
  },
  { path: '/account', component: loadScreen(() => import('./screens/account')) },
  { path: '/bulk', component: loadScreen(() => import('./screens/bulk')) },
  { path: '/operations', component: loadScreen(() => import('./screens/operations')) },
  {
    path: '/settings',
    component: loadScreen(() => import('./screens/settings')),
    nav: { label: 'nav.settings', icon: IconSettings },
  },
];
