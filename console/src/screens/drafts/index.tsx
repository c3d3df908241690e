import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { CreateDraftDocument, DraftsDocument } from '../../graph/drafts/graphql';
import { useTranslator } from '../../i18n';
import { useFrame, useMay } from '../../liveUpdates';
import { DraftStateBadge, useDue } from '../../ui/draftState';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';
import { BriefForm } from './briefForm';

/** The drafts of the workspace. */
export default function Drafts() {
  const { t, ago } = useTranslator();
  const [show, setShow] = useShown();
  const me = useFrame()?.viewer?.user?.id;
  const brief = useBriefSource();
  const source = brief.source ? { source: brief.source, hasSource: true } : {};
  const result = useScreen(DraftsDocument, {
    after: usePageCursor(),
    ...listOf(show, me),
    ...source,
  });
  const due = useDue();
  const mayWrite = useMay('WRITE');
  return (
    <Screen
      title={t('nav.drafts')}
      lead={t('drafts.noneHint')}
      result={result}
      actions={<ScreenLink to="/house-rules">{t('house.title')}</ScreenLink>}
    >
      {(data) => (
        <>
          {mayWrite && !brief.isOpen && <NewDraft openBrief={brief.open} />}
          {mayWrite && brief.isOpen && <BriefForm source={data.source} close={brief.close} />}
          <Panel
            title={t('nav.drafts')}
            actions={
              <NativeSelect
                size="xs"
                aria-label={t('drafts.show')}
                value={show}
                onChange={(event) => setShow(event.currentTarget.value)}
                data={[
                  { value: '', label: t('drafts.showAll') },
                  ...(me ? [{ value: 'mine', label: t('drafts.showMine') }] : []),
                  { value: 'review', label: t('drafts.showReview') },
                  { value: 'approved', label: t('drafts.showApproved') },
                  { value: 'published', label: t('drafts.showPublished') },
                ]}
              />
            }
          >
            {!data.drafts || data.drafts.nodes.length === 0 ? (
              <EmptyPage
                title={t(show ? 'drafts.noneShown' : 'drafts.none')}
                hint={t(show ? 'drafts.noneShownHint' : 'drafts.start')}
              />
            ) : (
              <ul className="rows">
                {data.drafts.nodes.map((draft) => (
                  <li key={draft.id}>
                    <Group gap="xs" wrap="nowrap">
                      <ScreenLink to={`/drafts/${draft.id}`} className="row-link">
                        {draft.title || t('document.untitled')}
                      </ScreenLink>
                      {draft.state !== 'DRAFT' && <DraftStateBadge state={draft.state} />}
                    </Group>
                    <Text size="sm" lineClamp={2}>
                      {draft.excerpt}
                    </Text>
                    <Text size="sm" c="dimmed">
                      {[
                        t('document.words', { count: draft.wordCount }),
                        draft.reactions?.totalCount
                          ? t('document.reactions', { count: draft.reactions.totalCount })
                          : null,
                        ago(draft.updatedAt),
                        draft.assignee && t('review.waitsFor', { name: draft.assignee.name }),
                        draft.dueAt && due(draft.dueAt),
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </Text>
                  </li>
                ))}
              </ul>
            )}
            <PageLinks page={data.drafts?.pageInfo} />
          </Panel>
        </>
      )}
    </Screen>
  );
}

/** Returns whether a brief is being written, and the document to write from, which is in the address. */
function useBriefSource() {
  const [search, setSearch] = useSearchParams();
  const [isOpen, setOpen] = useState(false);
  const source = search.get('from');
  const close = () => {
    setOpen(false);
    setSearch({}, { replace: true });
  };
  return { source, isOpen: isOpen || source !== null, open: () => setOpen(true), close };
}

/** Returns which drafts are shown, which is in the address, and a function that changes it. */
function useShown() {
  const [search, setSearch] = useSearchParams();
  const set = (show: string) => setSearch(show ? { show } : {}, { replace: true });
  return [search.get('show') ?? '', set] as const;
}

/** Returns the filter and the order of the drafts that are shown; `me` is the viewer's user. */
function listOf(show: string, me: string | undefined) {
  const nextDue = { field: 'DUE_AT', direction: 'ASC' } as const;
  switch (show) {
    case 'mine':
      return { filter: { assigneeId: me ?? '-' }, orderBy: nextDue };
    case 'review':
      return { filter: { states: ['IN_REVIEW' as const] }, orderBy: nextDue };
    case 'approved':
      return { filter: { states: ['APPROVED' as const] } };
    case 'published':
      return { filter: { states: ['PUBLISHED' as const] } };
    default:
      return {};
  }
}

function NewDraft({ openBrief }: { openBrief: () => void }) {
  const { t } = useTranslator();
  const [, navigate] = useLocation();
  const [title, setTitle] = useState('');
  const create = useAction(CreateDraftDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const data = await create.run({ title });
    if (data?.saveDraft) {
      navigate(`/drafts/${data.saveDraft.draft.id}`);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Group align="flex-end">
        <TextInput
          label={t('drafts.title')}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
          style={{ flex: '1 1 14rem' }}
        />
        <Button
          type="submit"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={!title.trim()}
          loading={create.fetching}
        >
          {t('drafts.add')}
        </Button>
        <Button variant="light" onClick={openBrief}>
          {t('brief.title')}
        </Button>
      </Group>
    </form>
  );
}
