import { Badge, Group, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import {
  DeleteSavedSearchDocument,
  RenameSavedSearchDocument,
  SearchesDocument,
  type SearchesQuery,
} from '../../graph/searches/graphql';
import { type Translator, useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { fieldProblem } from '../../problemText';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { GuardedButton } from '../../ui/guardedButton';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { addressOf } from '../../ui/savedSearch';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';

type SavedSearch = NonNullable<SearchesQuery['savedSearches']>['nodes'][number];

/** The saved searches, with the number of hits that the viewer has not seen. */
export default function Searches() {
  const { t } = useTranslator();
  const result = useScreen(SearchesDocument, { after: usePageCursor() });
  const mayWrite = useMay('WRITE');
  const mayEdit = useMay('EDIT');
  return (
    <Screen title={t('nav.searches')} lead={t('search.savedLead')} result={result}>
      {(data) => {
        const rows = data.savedSearches?.nodes ?? [];
        const isOwn = (search: SavedSearch) =>
          mayEdit || (mayWrite && search.createdBy?.id === data.viewer?.user?.id);
        return (
          <Panel title={t('nav.searches')}>
            {rows.length === 0 ? (
              <EmptyPage
                title={t('search.noneSaved')}
                hint={t('search.noneSavedHint')}
                action={<ScreenLink to="/documents">{t('nav.documents')}</ScreenLink>}
              />
            ) : (
              <ul className="rows">
                {rows.map((search) => (
                  <SearchRow
                    key={search.id}
                    search={search}
                    mayChange={isOwn(search)}
                    reload={result.retry}
                  />
                ))}
              </ul>
            )}
            <PageLinks page={data.savedSearches?.pageInfo} />
          </Panel>
        );
      }}
    </Screen>
  );
}

interface RowProps {
  readonly search: SavedSearch;
  readonly mayChange: boolean | undefined;
  readonly reload: () => void;
}

function SearchRow({ search, mayChange, reload }: RowProps) {
  const { t, ago, name: words } = useTranslator();
  const [isEdited, setEdited] = useState(false);
  const remove = useAction(DeleteSavedSearchDocument);
  const { id, name } = search;
  const erase = async () => {
    if (await remove.run({ savedSearchId: id })) {
      reload();
    }
  };
  return (
    <li data-search={id}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap={6}>
        <ScreenLink to={`/searches/${id}`} className="row-link">
          {name}
        </ScreenLink>
        {(search.newCount ?? 0) > 0 && (
          <Badge tt="none" style={{ flexShrink: 0 }}>
            {t('search.newHits', { count: search.newCount ?? 0 })}
          </Badge>
        )}
      </Group>
      <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {conditionsOf(search, words).join(' · ')}
      </Text>
      <Text size="sm" c="dimmed">
        {[
          search.lastSeenAt
            ? t('search.seen', { when: ago(search.lastSeenAt) })
            : t('search.neverSeen'),
          !search.isFollowed && t('search.notFollowed'),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {isEdited ? (
        <RenameForm search={search} close={() => setEdited(false)} />
      ) : (
        <Group gap="xs" mt={4}>
          <GuardedButton
            allowed={mayChange}
            size="compact-xs"
            variant="light"
            aria-label={t('search.renameOf', { name })}
            onClick={() => setEdited(true)}
          >
            {t('search.rename')}
          </GuardedButton>
          <ConfirmedButton
            allowed={mayChange ?? false}
            size="compact-xs"
            variant="subtle"
            color="red"
            loading={remove.fetching}
            subject={id}
            aria-label={t('search.deleteOf', { name })}
            action={t('action.delete')}
            question={t('search.deleteQuestion', { name })}
            run={() => void erase()}
          />
        </Group>
      )}
    </li>
  );
}

/** Returns the conditions of a search as short texts: its query and the values of its filter. */
function conditionsOf({ filter }: SavedSearch, words: Translator['name']): string[] {
  return [...addressOf(filter).search].map(([parameter, value]) => {
    switch (parameter) {
      case 'state':
      case 'visibility':
        return words(parameter, value);
      case 'tag':
        return value.slice(value.indexOf(':') + 1);
      case 'createdFrom':
      case 'publishedFrom':
        return `≥ ${value}`;
      case 'createdTo':
      case 'publishedTo':
        return `≤ ${value}`;
      default:
        return value;
    }
  });
}

function RenameForm({ search, close }: { search: SavedSearch; close: () => void }) {
  const { t } = useTranslator();
  const [name, setName] = useState(search.name);
  const [{ fetching, error }, rename] = useMutation(RenameSavedSearchDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await rename({ savedSearchId: search.id, name });
    if (data?.updateSavedSearch) {
      close();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Group gap="xs" mt={4} align="flex-start">
        <TextInput
          size="xs"
          aria-label={t('search.savedName')}
          value={name}
          maxLength={200}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldProblem(error, 'name')}
        />
        <GuardedButton allowed type="submit" size="xs" loading={fetching}>
          {t('action.save')}
        </GuardedButton>
        <GuardedButton allowed size="xs" variant="subtle" onClick={close}>
          {t('action.cancel')}
        </GuardedButton>
      </Group>
      <RefusalAlert error={error} fields={['name']} />
    </form>
  );
}
