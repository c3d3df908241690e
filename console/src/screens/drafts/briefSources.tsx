import { MultiSelect } from '@mantine/core';
import { useState } from 'react';
import { FindSourcesDocument } from '../../graph/drafts/graphql';
import { useTranslator } from '../../i18n';
import { useDebouncedQuery } from '../../ui/useDebouncedQuery';
import { type BriefSource, maxSources } from './brief';

interface SourcesProps {
  readonly sources: readonly BriefSource[];
  readonly change: (sources: readonly BriefSource[]) => void;
}

/** Returns a query in which the last word is the beginning of one, as its writer is not done. */
const beginning = (query: string) => (/[\p{L}\p{N}]$/u.test(query) ? `${query}*` : query);

/** A choice of documents to write from, which are found by words of their titles and texts. */
export function BriefSources({ sources, change }: SourcesProps) {
  const { t } = useTranslator();
  const [words, setWords] = useState('');
  const filter = words.trim() ? { q: beginning(words.trim()) } : null;
  const { data } = useDebouncedQuery(FindSourcesDocument, { filter });
  const found: readonly BriefSource[] = data?.documents?.nodes ?? [];
  const known = new Map([...found, ...sources].map((document) => [document.id, document]));
  const option = (id: string) => ({
    value: id,
    label: known.get(id)?.title || t('document.untitled'),
  });
  return (
    <MultiSelect
      label={t('brief.sources')}
      description={t('brief.sourcesHint', { count: maxSources })}
      value={sources.map((document) => document.id)}
      onChange={(ids) => change(ids.flatMap((id) => known.get(id) ?? []))}
      data={[...known.keys()].map(option)}
      filter={({ options }) => options} // the gateway has found them
      searchable
      searchValue={words}
      onSearchChange={setWords}
      maxValues={maxSources}
      hidePickedOptions
      nothingFoundMessage={t('brief.noSources')}
    />
  );
}
