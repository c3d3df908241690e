import { Stack } from '@mantine/core';
import { useLocation, useParams } from 'wouter';
import { DeleteAutoTagDocument, TagScreenDocument } from '../../graph/tag/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { GuardedButton } from '../../ui/guardedButton';
import { usePageCursor } from '../../ui/pageLinks';
import { Screen, useScreen, useSubject } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';
import { AppliedValues } from './appliedValues';
import { ApplyForm } from './applyForm';
import { Definition } from './definition';
import type { Tag } from './tag';

/** An auto-tag: its definition, the values that it has in documents, and its use on more of them. */
export default function TagPage() {
  const { t, name } = useTranslator();
  const { id = '' } = useParams();
  const result = useScreen(TagScreenDocument, {
    id,
    valuesAfter: usePageCursor('valuesAfter'),
    documentsAfter: usePageCursor('documentsAfter'),
  });
  const mayEdit = useMay('EDIT');
  const mayWrite = useMay('WRITE');
  const mayReview = useMay('REVIEW');
  const [tag, known] = useSubject(result, (data) => data.autoTag);
  return (
    <Screen
      title={tag?.name ?? t('tags.title')}
      lead={
        tag && (
          <>
            <ScreenLink isInText to="/filters">
              {t('nav.filters')}
            </ScreenLink>{' '}
            · {name('tagType', tag.tagType)}
            {!tag.enabled && ` · ${t('tags.off')}`}
            {tag.filterTag && (
              <>
                {' · '}
                <ScreenLink isInText to={`/filters/${tag.filterTag.id}`}>
                  {t('tags.isFilter')}
                </ScreenLink>
              </>
            )}
          </>
        )
      }
      result={known}
      actions={tag && mayEdit && <Remove tag={tag} />}
    >
      {(data) =>
        tag && (
          <div className="with-aside aside-end">
            <Stack gap="lg">
              <ApplyForm tag={tag} data={data} mayWrite={mayWrite} reload={result.retry} />
              <AppliedValues tag={tag} mayWrite={mayReview} reload={result.retry} />
            </Stack>
            <Stack gap="lg" component="aside" aria-label={t('tags.definition')}>
              <Definition tag={tag} mayWrite={mayEdit} />
            </Stack>
          </div>
        )
      }
    </Screen>
  );
}

/** Deletes the auto-tag; the question names what goes with it. A filter is to be unlinked before. */
function Remove({ tag }: { tag: Tag }) {
  const { t } = useTranslator();
  const [, navigate] = useLocation();
  const remove = useAction(DeleteAutoTagDocument);
  if (tag.filterTag) {
    return (
      <GuardedButton
        allowed={false}
        reason="tags.unlinkFirst"
        size="xs"
        variant="subtle"
        color="red"
      >
        {t('action.delete')}
      </GuardedButton>
    );
  }
  const erase = async () => {
    if (await remove.run({ autoTagId: tag.id })) {
      navigate('/filters');
    }
  };
  const values = tag.appliedValues?.totalCount ?? 0;
  const reviews = tag.reviews?.totalCount ?? 0;
  const parts = [
    t('action.deleteQuestion', { name: tag.name }),
    values > 0 && t('tags.losesValues', { count: values }),
    reviews > 0 && t('tags.losesReviews', { count: reviews }),
  ];
  return (
    <ConfirmedButton
      size="xs"
      variant="subtle"
      color="red"
      loading={remove.fetching}
      subject={tag.id}
      action={t('action.delete')}
      question={parts.filter(Boolean).join(' ')}
      run={erase}
    />
  );
}
