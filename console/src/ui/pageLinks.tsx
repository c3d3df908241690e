import { Button, Group } from '@mantine/core';
import type { ComponentProps, MouseEvent } from 'react';
import { Link, useSearchParams } from 'wouter';
import { usePathname } from 'wouter/use-browser-location';
import { focusHeading } from '../headingFocus';
import { useTranslator } from '../i18n';
import { withParameter } from './address';
import { EmptyState } from './screen';

interface PageProps {
  /**
   * The parameter with the cursor that the page begins after. Each list of a screen has its own.
   */
  readonly name?: string;
}

/** Returns the cursor that a list begins after; null for its first page. */
export function usePageCursor(name = 'after'): string | null {
  return useSearchParams()[0].get(name);
}

interface PageLinksProps extends PageProps {
  readonly page:
    | { readonly hasNextPage: boolean; readonly endCursor?: string | null | undefined }
    | null
    | undefined;
}

/**
 * Links to the next page of a list and, from a later page, to the first. Back leads to the page
 * before.
 */
export function PageLinks({ page, name = 'after' }: PageLinksProps) {
  const { t } = useTranslator();
  const [search] = useSearchParams();
  const path = usePathname();
  const next = page?.hasNextPage ? page.endCursor : null;
  const address = (...cursors: string[]) => `~${path}?${withParameter(search, name, ...cursors)}`;
  if (!next && !search.has(name)) {
    return null;
  }
  return (
    <Group gap="xs" p="md">
      {search.has(name) && (
        <Button component={Link} href={address()} variant="default" onClick={focusList}>
          {t('action.firstPage')}
        </Button>
      )}
      {next && (
        <Button
          component={Link}
          href={address(next)}
          variant="default"
          onClick={focusList}
          style={{ flex: 1 }}
        >
          {t('action.nextPage')}
        </Button>
      )}
    </Group>
  );
}

/** Moves the focus to the heading of the list, as the link may not be on its next page. */
function focusList({ currentTarget }: MouseEvent<HTMLElement>): void {
  const heading = currentTarget.closest('.panel')?.querySelector('h2');
  if (!heading) {
    focusHeading();
    return;
  }
  heading.tabIndex = -1;
  heading.focus();
}

/** The state of a page without rows: that of the list, if it is the first one. */
export function EmptyPage({
  name = 'after',
  ...state
}: PageProps & ComponentProps<typeof EmptyState>) {
  const { t } = useTranslator();
  return usePageCursor(name) === null ? (
    <EmptyState {...state} />
  ) : (
    <EmptyState title={t('list.end')} />
  );
}
