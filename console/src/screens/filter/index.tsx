import { Badge, Stack } from '@mantine/core';
import { useLocation, useParams } from 'wouter';
import {
  DeleteFilterDocument,
  FilterScreenDocument,
  UnlinkTagDocument,
} from '../../graph/filter/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { usePageCursor } from '../../ui/pageLinks';
import { Screen, useScreen, useSubject } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';
import { Backfill } from './backfill';
import { type Filter, filterOf, isManual } from './filter';
import { ExcludeForm, HiddenDocuments } from './hiddenDocuments';
import { Settings } from './settings';

/** A comms filter: what it hides and why, its settings, and its use on earlier documents. */
export default function FilterPage() {
  const { t, name } = useTranslator();
  const { id = '' } = useParams();
  const result = useScreen(FilterScreenDocument, {
    id,
    hiddenAfter: usePageCursor('hiddenAfter'),
  });
  const mayWrite = useMay('EDIT');
  const [filter, known] = useSubject(result, (data) => filterOf(data.filter));
  return (
    <Screen
      title={filter?.name ?? t('filters.registry')}
      lead={
        filter && (
          <>
            <ScreenLink isInText to="/filters">
              {t('nav.filters')}
            </ScreenLink>{' '}
            · {isManual(filter) ? t('filters.manual') : name('tagType', filter.tagType)} ·{' '}
            {filter.enabled ? t('filters.on') : t('filters.off')}
          </>
        )
      }
      result={known}
      actions={filter && mayWrite && <Remove filter={filter} />}
    >
      {(data) =>
        filter && (
          <div className="with-aside aside-end">
            <Stack gap="lg">
              <HiddenDocuments filter={filter} mayWrite={mayWrite} reload={result.retry} />
              <Backfill
                filter={filter}
                jobs={data.jobs?.nodes ?? []}
                mayWrite={mayWrite}
                reload={result.retry}
              />
            </Stack>
            <Stack gap="lg" component="aside" aria-label={t('filters.settings')}>
              <Settings filter={filter} mayWrite={mayWrite} />
              {isManual(filter) && (
                <ExcludeForm filter={filter} mayWrite={mayWrite} reload={result.retry} />
              )}
            </Stack>
          </div>
        )
      }
    </Screen>
  );
}

/** Deletes a manual filter or unlinks an auto-tag; the question says what goes with it. */
function Remove({ filter }: { filter: Filter }) {
  const { t } = useTranslator();
  const [, navigate] = useLocation();
  const remove = useAction(DeleteFilterDocument);
  const unlink = useAction(UnlinkTagDocument);
  const { autoTagId, name, hiddenCount } = filter;
  const manual = isManual(filter);
  const run = async () => {
    const done = manual ? await remove.run({ tagId: autoTagId }) : await unlink.run({ autoTagId });
    if (done) {
      navigate('/filters');
    }
  };
  const parts = [
    manual
      ? t('filters.deleteQuestion', { name, count: filter.examples?.totalCount ?? 0 })
      : t('filters.unlinkQuestion', { name }),
    hiddenCount > 0 && t('filters.becomeVisible', { count: hiddenCount }),
  ];
  return (
    <>
      <Badge variant="light" color="gray" tt="none">
        {t('filters.hides', { count: hiddenCount })}
      </Badge>
      <ConfirmedButton
        size="xs"
        variant="subtle"
        color="red"
        loading={remove.fetching || unlink.fetching}
        subject={autoTagId}
        action={manual ? t('action.delete') : t('filters.unlink')}
        question={parts.filter(Boolean).join(' ')}
        run={run}
      />
    </>
  );
}
