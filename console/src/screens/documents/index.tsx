import { stringifyVariables } from '@urql/core';
import { Anchor, Button, Checkbox, Collapse, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import {
  type DocumentFilter,
  DocumentsDocument,
  type DocumentsQuery,
} from '../../graph/documents/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { fieldProblem } from '../../problemText';
import { withParameter } from '../../ui/address';
import { DocumentRow } from '../../ui/documentRow';
import { GuardedButton } from '../../ui/guardedButton';
import { MarkedLine } from '../../ui/markedLine';
import { EmptyPage, PageLinks } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useHeldRows } from '../../ui/useHeldRows';
import { AddDocuments } from './addDocuments';
import { type Selection, isSelected, nothingSelected, toggled } from './bulk';
import { BulkJob } from './bulkJob';
import { documentVariables, filterOf, isFiltered, withoutFilters } from './documentFilter';
import { type ChangeFilter, ChosenFilters, Facets, OrderSelect } from './facets';
import { SaveSearch } from './saveSearch';
import { SearchForm } from './searchForm';
import { SelectionBar } from './selectionBar';
import { SimilarPassages } from './similarPassages';

/** The list of documents: search, filters with counts, and ways to add some. */
export default function Documents() {
  const { t } = useTranslator();
  const [search, setSearch] = useSearchParams();
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const adding = search.has('add');
  const variables = documentVariables(search);
  const result = useScreen(DocumentsDocument, variables);
  const listed = result.data?.documents?.nodes;
  const held = useHeldRows(listed, stringifyVariables(result.shown ?? {}), !adding);
  // With another filter it is no longer the saved search that was opened.
  const change: ChangeFilter = (name, ...values) =>
    setSearch((before) => {
      const next = withParameter(withParameter(before, 'after'), name, ...values);
      return name === 'add' || name === 'job' ? next : withParameter(next, 'saved');
    });
  const clear = () => setSearch(withoutFilters);
  const asked = search.get('q') ?? '';
  const ask = (value: string) => change('q', ...(value ? [value] : []));
  const mayWrite = useMay('WRITE');
  return (
    <Screen
      title={t('nav.documents')}
      lead={<Lead data={result.data} />}
      shownProblems={['filter/q', 'q']}
      result={result}
      actions={
        <GuardedButton
          allowed={mayWrite}
          leftSection={<IconPlus size={16} aria-hidden />}
          aria-expanded={adding}
          onClick={() => change('add', ...(adding ? [] : ['']))}
        >
          {t('documents.add')}
        </GuardedButton>
      }
    >
      {(data) => (
        <>
          <Collapse expanded={adding && mayWrite === true}>
            <AddDocuments reload={result.retry} />
          </Collapse>
          <Group gap="xs">
            <SearchForm
              value={asked}
              change={ask}
              problem={fieldProblem(result.error, 'filter/q')}
            />
            <OrderSelect search={search} change={change} />
            {isFiltered(search) && (
              <SaveSearch
                key={stringifyVariables(filterOf(search))}
                filter={filterOf(search)}
                mayWrite={mayWrite}
              />
            )}
          </Group>
          {data.viewer?.workspace?.embeddingModel && search.get('q') && (
            <SimilarPassages key={search.get('q')} search={search.get('q') ?? ''} />
          )}
          {data.job && (
            <BulkJob
              key={data.job.id}
              job={data.job}
              open={(jobId) => change('job', jobId)}
              close={() => change('job')}
            />
          )}
          <ChosenFilters data={data} search={search} change={change} clear={clear} />
          <div className="with-aside">
            <aside aria-label={t('documents.filters')}>
              <details key={String(isWide)} open={isWide}>
                <summary hidden={isWide}>{t('documents.filters')}</summary>
                <Facets data={data} search={search} change={change} />
              </details>
            </aside>
            <DocumentList
              key={stringifyVariables(filterOf(search))}
              rows={held.rows}
              page={data.documents?.pageInfo}
              total={data.documents?.totalCount ?? 0}
              filter={filterOf(search)}
              open={(jobId) => change('job', jobId)}
              arrivals={<Arrivals count={held.heldCount} show={held.show} />}
              clear={isFiltered(search) ? clear : null}
              suggestions={asked ? (data.searchSuggestions ?? []) : []}
              ask={ask}
            />
          </div>
          <ScreenLink to="/trash">{t('trash.title')}</ScreenLink>
        </>
      )}
    </Screen>
  );
}

/** The name of the saved search that was opened, and how many documents the list has. */
function Lead({ data }: { data: DocumentsQuery | undefined }) {
  const { t } = useTranslator();
  return (
    <>
      {data?.savedSearch && (
        <Text component="div" fw={550} c="var(--mantine-color-text)">
          {t('search.opened')} <bdi>{data.savedSearch.name}</bdi>
        </Text>
      )}
      {data?.documents && t('documents.count', { count: data.documents.totalCount })}
    </>
  );
}

/** The offer to show the new documents, which are held back. */
function Arrivals({ count, show }: { count: number; show: () => void }) {
  const { t } = useTranslator();
  return (
    <span role="status">
      {count > 0 && (
        <Button size="compact-xs" variant="light" onClick={show}>
          {t('documents.new', { count })}
        </Button>
      )}
    </span>
  );
}

type ListedDocument = NonNullable<DocumentsQuery['documents']>['nodes'][number];

interface ListProps {
  readonly rows: readonly ListedDocument[];
  readonly page: ComponentProps<typeof PageLinks>['page'];
  /** The filter of the list, and how many documents match it. */
  readonly filter: DocumentFilter;
  readonly total: number;
  /** Opens a job that changes the selected documents. */
  readonly open: (jobId: string) => void;
  /** The offer to show new documents. */
  readonly arrivals: ReactNode;
  /** Removes the filters; null if there are none. */
  readonly clear: (() => void) | null;
  /** Queries with other spellings, if nothing is found. */
  readonly suggestions: readonly string[];
  readonly ask: (query: string) => void;
}

function DocumentList({ rows, page, arrivals, clear, suggestions, ask, ...bulk }: ListProps) {
  const { t } = useTranslator();
  const [selection, select] = useState<Selection>(nothingSelected);
  const ids = rows.map(({ id }) => id);
  return (
    <Panel title={t('nav.documents')} actions={arrivals}>
      {rows.length > 0 && (
        <SelectionBar {...bulk} selection={selection} select={select} page={ids} />
      )}
      {rows.length > 0 ? (
        <ul className="rows">
          {rows.map((document) => (
            <DocumentRow
              key={document.id}
              document={document}
              checkbox={
                <Checkbox
                  size="xs"
                  mt={3}
                  aria-label={t('bulk.select', { name: document.title })}
                  checked={isSelected(selection, document.id)}
                  onChange={() => select(toggled(selection, document.id, ids))}
                />
              }
            >
              {document.excerpt && (
                <Text size="sm" dir="auto" data-excerpt>
                  <MarkedLine {...document.excerpt} />
                </Text>
              )}
            </DocumentRow>
          ))}
        </ul>
      ) : clear ? (
        <EmptyPage
          title={t('documents.nothing')}
          hint={t('documents.nothingHint')}
          action={
            <Stack gap="xs" align="center">
              {suggestions.length > 0 && (
                <Text component="div">
                  {t('search.didYouMean')}{' '}
                  {suggestions.map((query) => (
                    <Anchor key={query} component="button" mx={4} onClick={() => ask(query)}>
                      {query}
                    </Anchor>
                  ))}
                </Text>
              )}
              <Button variant="light" onClick={clear}>
                {t('documents.clearAll')}
              </Button>
            </Stack>
          }
        />
      ) : (
        <EmptyPage title={t('documents.none')} hint={t('documents.noneHint')} />
      )}
      <PageLinks page={page} />
    </Panel>
  );
}
