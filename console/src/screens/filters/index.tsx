import { SimpleGrid, Stack } from '@mantine/core';
import { FiltersDocument } from '../../graph/filters/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { usePageCursor } from '../../ui/pageLinks';
import { Screen, useScreen } from '../../ui/screen';
import { AutoTags } from './autoTags';
import { Registry } from './registry';
import { ReviewQueue } from './reviewQueue';

/**
 * Which documents are hidden from communications, the auto-tags, and values that await a decision.
 */
export default function Filters() {
  const { t } = useTranslator();
  const result = useScreen(FiltersDocument, {
    filtersAfter: usePageCursor('filtersAfter'),
    tagsAfter: usePageCursor('tagsAfter'),
  });
  const mayEdit = useMay('EDIT');
  const mayReview = useMay('REVIEW');
  return (
    <Screen title={t('nav.filters')} lead={t('filters.lead')} result={result}>
      {(data) => (
        <Stack gap="lg">
          <ReviewQueue
            reviews={data.autoTagReviews?.nodes ?? []}
            total={data.autoTagReviews?.totalCount ?? 0}
            mayWrite={mayReview}
            reload={result.retry}
          />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <Registry
              key={data.commsFilters?.tags?.nodes
                .map(({ id, enabled }) => `${id}${enabled}`)
                .join()}
              tags={data.commsFilters?.tags}
              stored={data.commsFilters?.filters}
              linkable={data.linkableTags?.nodes ?? []}
              mayWrite={mayEdit}
              reload={result.retry}
            />
            <AutoTags data={data} mayWrite={mayEdit} reload={result.retry} />
          </SimpleGrid>
        </Stack>
      )}
    </Screen>
  );
}
