import { stringifyVariables } from '@urql/core';
import { Button, CloseButton, Collapse, Group, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { type ComponentProps, type FormEvent, type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import { type DocumentRowFragment, DocumentsDocument } from '../../graph/documents/graphql';
import { useTranslator } from '../../i18n';
import { useMayWrite } from '../../liveUpdates';
import { withParameter } from '../../ui/address';
import { DocumentRow } from '../../ui/documentRow';
import { GuardedButton } from '../../ui/guardedButton';
import { EmptyPage, PageLinks } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen } from '../../ui/screen';
import { useHeldRows } from '../../ui/useHeldRows';
import { AddDocuments } from './addDocuments';
import { documentVariables, isFiltered, withoutFilters } from './documentFilter';
import { type ChangeFilter, ChosenFilters, Facets, OrderSelect } from './facets';
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
  const change: ChangeFilter = (name, ...values) =>
    setSearch((before) => withParameter(withParameter(before, 'after'), name, ...values));
  const clear = () => setSearch(withoutFilters);
  const mayWrite = useMayWrite();
  return (
    <Screen
      title={t('nav.documents')}
      lead={
        result.data?.documents && t('documents.count', { count: result.data.documents.totalCount })
      }
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
              key={search.get('q')}
              value={search.get('q') ?? ''}
              change={(value) => change('q', ...(value ? [value] : []))}
            />
            <OrderSelect search={search} change={change} />
          </Group>
          {data.viewer?.workspace?.embeddingModel && search.get('q') && (
            <SimilarPassages key={search.get('q')} search={search.get('q') ?? ''} />
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
              rows={held.rows}
              page={data.documents?.pageInfo}
              arrivals={<Arrivals count={held.heldCount} show={held.show} />}
              clear={isFiltered(search) ? clear : null}
            />
          </div>
        </>
      )}
    </Screen>
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

function SearchForm({ value, change }: { value: string; change: (value: string) => void }) {
  const { t } = useTranslator();
  const [text, setText] = useState(value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change(text.trim());
  };
  return (
    <form role="search" onSubmit={submit} style={{ flex: '1 1 16rem' }}>
      <TextInput
        aria-label={t('documents.search')}
        placeholder={t('documents.search')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        rightSection={
          value && (
            <CloseButton size="sm" aria-label={t('documents.clear')} onClick={() => change('')} />
          )
        }
      />
    </form>
  );
}

interface ListProps {
  readonly rows: readonly DocumentRowFragment[];
  readonly page: ComponentProps<typeof PageLinks>['page'];
  /** The offer to show new documents. */
  readonly arrivals: ReactNode;
  /** Removes the filters; null if there are none. */
  readonly clear: (() => void) | null;
}

function DocumentList({ rows, page, arrivals, clear }: ListProps) {
  const { t } = useTranslator();
  return (
    <Panel title={t('nav.documents')} actions={arrivals}>
      {rows.length > 0 ? (
        <ul className="rows">
          {rows.map((document) => (
            <DocumentRow key={document.id} document={document} />
          ))}
        </ul>
      ) : clear ? (
        <EmptyPage
          title={t('documents.nothing')}
          hint={t('documents.nothingHint')}
          action={
            <Button variant="light" onClick={clear}>
              {t('documents.clearAll')}
            </Button>
          }
        />
      ) : (
        <EmptyPage title={t('documents.none')} hint={t('documents.noneHint')} />
      )}
      <PageLinks page={page} />
    </Panel>
  );
}
