import { Button, Group, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { CreateDraftDocument, DraftsDocument } from '../../graph/drafts/graphql';
import { useTranslator } from '../../i18n';
import { useMayWrite } from '../../liveUpdates';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';

/** The texts that are not published yet. */
export default function Drafts() {
  const { t, ago } = useTranslator();
  const result = useScreen(DraftsDocument, { after: usePageCursor() });
  const mayWrite = useMayWrite();
  return (
    <Screen title={t('nav.drafts')} lead={t('drafts.noneHint')} result={result}>
      {(data) => (
        <>
          {mayWrite && <NewDraft />}
          <Panel title={t('nav.drafts')}>
            {!data.drafts || data.drafts.nodes.length === 0 ? (
              <EmptyPage title={t('drafts.none')} hint={t('drafts.start')} />
            ) : (
              <ul className="rows">
                {data.drafts.nodes.map((draft) => (
                  <li key={draft.id}>
                    <ScreenLink to={`/drafts/${draft.id}`} className="row-link">
                      {draft.title || t('document.untitled')}
                    </ScreenLink>
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

function NewDraft() {
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
      </Group>
    </form>
  );
}
