import { Badge, Button, CloseButton, Collapse, Group, Pill, SimpleGrid, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { onNewDocument } from '../connection';
import { type DocumentState, type DocumentsQuery, DocumentsDocument } from '../graph/documents/graphql';
import { type MessageKey, useTranslator } from '../i18n';
import { useMayWrite } from '../live';
import { DocumentRow } from '../ui/document';
import { GuardedButton } from '../ui/guard';
import { Panel } from '../ui/panel';
import { EmptyState, Screen, type ScreenResult, useScreen } from '../ui/screen';
import { AddDocuments } from './ingest';

/** The facets that a list can be filtered by, each a parameter of the address. */
const facets = ['state', 'company', 'executive', 'type', 'language'] as const;
type Facet = (typeof facets)[number];
const facetLabels: Record<Facet, MessageKey> = {
  state: 'documents.state', company: 'documents.company', executive: 'documents.executive', type: 'documents.type', language: 'documents.language',
};

/** Returns the parameters with another value of one; null removes it. */
function withParameter(search: URLSearchParams, name: string, value: string | null): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete(name);
  if (value !== null) {
    next.set(name, value);
  }
  return next;
}

/** The list of documents: search, filters with counts, and ways to add some. */
export default function Documents() {
  const { t } = useTranslator();
  const [search, setSearch] = useSearchParams();
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const adding = search.has('add');
  const list = (name: Facet) => (search.has(name) ? [search.get(name) ?? ''] : undefined);
  const q = search.get('q') || null;
  const result = useScreen(DocumentsDocument, {
    after: search.get('after'),
    orderBy: q ? { field: 'RELEVANCE', direction: 'DESC' } : null,
    filter: {
      q, companies: list('company'), executives: list('executive'), communicationTypes: list('type'), languages: list('language'),
      states: list('state') as DocumentState[] | undefined,
    },
  });
  const change = (name: string, value: string | null) => setSearch((before) => withParameter(withParameter(before, 'after', null), name, value));
  const mayWrite = useMayWrite();
  const newDocuments = useNewDocuments(result);
  const load = () => (search.has('after') ? change('after', null) : result.retry());
  const isFiltered = q !== null || facets.some((facet) => search.has(facet));
  const arrivals = newDocuments > 0 && (
    <Button size="compact-xs" variant="light" onClick={load}>
      {t(isFiltered ? 'documents.newAnywhere' : 'documents.new', { count: newDocuments })}
    </Button>
  );
  return (
    <Screen
      title={t('nav.documents')}
      lead={result.data?.documents && t('documents.count', { count: result.data.documents.totalCount })}
      result={result}
      actions={
        <GuardedButton allowed={mayWrite} leftSection={<IconPlus size={16} aria-hidden />} aria-expanded={adding} onClick={() => change('add', adding ? null : '')}>
          {t('documents.add')}
        </GuardedButton>
      }
    >
      {(data) => (
        <>
          <Collapse expanded={adding && mayWrite === true}>
            <AddDocuments reload={result.retry} />
          </Collapse>
          <SearchForm key={q} value={q ?? ''} change={(value) => change('q', value || null)} />
          <ChosenFacets search={search} change={change} />
          <div className="with-aside">
            <aside aria-label={t('documents.filters')}>
              <details key={String(isWide)} open={isWide}>
                <summary hidden={isWide}>{t('documents.filters')}</summary>
                <Facets data={data} search={search} change={change} />
              </details>
            </aside>
            <DocumentList data={data} arrivals={arrivals} next={(cursor) => setSearch((before) => withParameter(before, 'after', cursor))} />
          </div>
        </>
      )}
    </Screen>
  );
}

/**
 * Returns how many documents were created since the list was loaded. They are not put into the list by themselves, as its rows would move under the
 * pointer, and a filter may not include them.
 */
function useNewDocuments({ data, fetching }: ScreenResult<DocumentsQuery>): number {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => onNewDocument((id) => setIds((before) => new Set(before).add(id))), []);
  useEffect(() => {
    if (fetching) {
      setIds(new Set()); // the response has them
    }
  }, [fetching]);
  const listed = new Set(data?.documents?.nodes.map(({ id }) => id));
  return fetching ? 0 : [...ids].filter((id) => !listed.has(id)).length;
}

type Change = (name: string, value: string | null) => void;

function SearchForm({ value, change }: { value: string; change: (value: string) => void }) {
  const { t } = useTranslator();
  const [text, setText] = useState(value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change(text.trim());
  };
  return (
    <form role="search" onSubmit={submit}>
      <TextInput
        aria-label={t('documents.search')}
        placeholder={t('documents.search')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        rightSection={value && <CloseButton size="sm" aria-label={t('documents.clear')} onClick={() => change('')} />}
      />
    </form>
  );
}

function ChosenFacets({ search, change }: { search: URLSearchParams; change: Change }) {
  const { t, name } = useTranslator();
  const chosen = facets.filter((facet) => search.has(facet));
  if (chosen.length === 0) {
    return null;
  }
  return (
    <Group gap="xs">
      {chosen.map((facet) => (
        <Pill key={facet} size="md" withRemoveButton onRemove={() => change(facet, null)} removeButtonProps={{ 'aria-label': t('documents.clear'), tabIndex: 0 }}>
          {t(facetLabels[facet])}: {facet === 'state' ? name('state', search.get(facet) ?? '') : search.get(facet)}
        </Pill>
      ))}
    </Group>
  );
}

function Facets({ data, search, change }: { data: DocumentsQuery; search: URLSearchParams; change: Change }) {
  const { name } = useTranslator();
  const counts = data.documentFacets;
  if (!counts) {
    return null;
  }
  const rows: Record<Facet, { value: string; label: string; count: number }[]> = {
    state: counts.states.map(({ state, count }) => ({ value: state, label: name('state', state), count })),
    company: counts.companies.map(plain), executive: counts.executives.map(plain), type: counts.communicationTypes.map(plain), language: counts.languages.map(plain),
  };
  return (
    <Stack gap="md">
      {facets.map((facet) => (
        <FacetValues key={facet} facet={facet} rows={rows[facet]} chosen={search.get(facet)} change={change} />
      ))}
    </Stack>
  );
}

const plain = ({ value, count }: { value: string; count: number }) => ({ value, label: value, count });

function FacetValues({ facet, rows, chosen, change }: { facet: Facet; rows: { value: string; label: string; count: number }[]; chosen: string | null; change: Change }) {
  const { t, compact } = useTranslator();
  const present = rows.filter(({ count, value }) => count > 0 && value !== '').slice(0, 8);
  if (present.length === 0) {
    return null;
  }
  return (
    <fieldset className="facet">
      <Text component="legend" size="sm" c="dimmed" fw={600}>
        {t(facetLabels[facet])}
      </Text>
      {present.map(({ value, label, count }) => (
        <UnstyledButton key={value} className="facet-value" aria-pressed={chosen === value} onClick={() => change(facet, chosen === value ? null : value)}>
          <Text span size="sm" truncate>
            {label}
          </Text>
          <Badge variant={chosen === value ? 'filled' : 'light'} color={chosen === value ? 'harbor' : 'gray'} size="sm">
            {compact(count)}
          </Badge>
        </UnstyledButton>
      ))}
    </fieldset>
  );
}

interface ListProps {
  readonly data: DocumentsQuery;
  /** The offer to show new documents, if there are any. */
  readonly arrivals: ReactNode;
  readonly next: (cursor: string) => void;
}

function DocumentList({ data, arrivals, next }: ListProps) {
  const { t } = useTranslator();
  const list = data.documents;
  if (!list || list.nodes.length === 0) {
    return (
      <div className="panel">
        <EmptyState title={t('documents.none')} hint={t('documents.noneHint')} action={<span role="status">{arrivals}</span>} />
      </div>
    );
  }
  const cursor = list.pageInfo.endCursor;
  return (
    <Stack>
      <Panel title={t('nav.documents')} actions={<span role="status">{arrivals}</span>}>
        <ul className="rows">
          {list.nodes.map((document) => (
            <DocumentRow key={document.id} document={document} />
          ))}
        </ul>
      </Panel>
      {list.pageInfo.hasNextPage && cursor && (
        <SimpleGrid cols={1}>
          <Button variant="default" onClick={() => next(cursor)}>
            {t('action.nextPage')}
          </Button>
        </SimpleGrid>
      )}
    </Stack>
  );
}
