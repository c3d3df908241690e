import { Stack } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { SourcesDocument } from '../../graph/sources/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { withParameter } from '../../ui/address';
import { usePageCursor } from '../../ui/pageLinks';
import { Screen, useScreen } from '../../ui/screen';
import { Backloads, ChosenBackload } from './backloads';
import { AddSource } from './addSource';
import { SourceForm } from './sourceForm';
import { sourceCursor, Subscriptions } from './subscriptions';

/** The sources that are polled, and readings of many texts at once, after a preview if wanted. */
export default function Sources() {
  const { t } = useTranslator();
  const [search, setSearch] = useSearchParams();
  const jobId = search.get('job');
  const result = useScreen(SourcesDocument, {
    after: usePageCursor(),
    afterSource: usePageCursor(sourceCursor),
    jobId: jobId ?? '',
    hasJob: jobId !== null,
  });
  const mayWrite = useMay('WRITE');
  const mayEdit = useMay('EDIT');
  const open = (id: string) => setSearch(withParameter(search, 'job', id));
  return (
    <Screen title={t('nav.sources')} lead={t('sources.lead')} result={result}>
      {(data) => (
        <Stack gap="lg">
          <AddSource mayEdit={mayEdit} />
          <Subscriptions list={data.sources} mayEdit={mayEdit} />
          <SourceForm mayWrite={mayWrite} open={open} />
          {data.job && <ChosenBackload job={data.job} mayWrite={mayWrite} open={open} />}
          <Backloads data={data} chosen={jobId} mayWrite={mayWrite} />
        </Stack>
      )}
    </Screen>
  );
}
