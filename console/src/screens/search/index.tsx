import { useEffect, useRef } from 'react';
import { useLocation, useParams } from 'wouter';
import { MarkSavedSearchSeenDocument, SavedSearchScreenDocument } from '../../graph/search/graphql';
import { useTranslator } from '../../i18n';
import { useNotice } from '../../ui/notice';
import { addressOf } from '../../ui/savedSearch';
import { LoadingState, Screen, useScreen, useSubject } from '../../ui/screen';
import { useAction } from '../../ui/useAction';

/** Opens the documents that a saved search finds, and notes that its hits were seen. */
export default function OpenSearch() {
  const { t } = useTranslator();
  const { id = '' } = useParams();
  const result = useScreen(SavedSearchScreenDocument, { id });
  const [, navigate] = useLocation();
  const notify = useNotice();
  const { run } = useAction(MarkSavedSearchSeenDocument);
  const opened = useRef('');
  const [saved, known] = useSubject(result, (data) => data.savedSearch);
  useEffect(() => {
    if (!saved || opened.current === saved.id) {
      return;
    }
    opened.current = saved.id;
    const { search, isWhole } = addressOf(saved.filter);
    if (!isWhole) {
      notify(t('search.savedMore'));
    }
    void run({ savedSearchId: saved.id });
    search.set('saved', saved.id);
    navigate(`/documents?${search}`, { replace: true });
  }, [saved, navigate, notify, run, t]);
  return (
    <Screen title={saved?.name ?? t('nav.searches')} result={known}>
      {() => <LoadingState />}
    </Screen>
  );
}
