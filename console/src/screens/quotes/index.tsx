import {
  Badge,
  Button,
  CopyButton,
  Group,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { QuotesDocument, type QuoteRowFragment } from '../../graph/quotes/graphql';
import { useTranslator } from '../../i18n';
import { withParameter } from '../../ui/address';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { SentimentBadge } from '../../ui/sentimentBadge';
import {
  certainties,
  certaintyOf,
  citation,
  dayFields,
  fieldLabels,
  passageOf,
  quoted,
  quoteFilter,
  searchFields,
  speakerOf,
} from './quotes';

/** The statements of all documents in their own words, to search and to copy with their sources. */
export default function Quotes() {
  const { t } = useTranslator();
  const [search, setSearch] = useSearchParams();
  const result = useScreen(QuotesDocument, {
    after: usePageCursor(),
    filter: quoteFilter(search),
  });
  const change = (values: Readonly<Record<string, string>>) =>
    setSearch((before) =>
      Object.entries(values).reduce(
        (next, [name, value]) => withParameter(next, name, ...(value ? [value] : [])),
        withParameter(before, 'after'),
      ),
    );
  return (
    <Screen title={t('nav.quotes')} lead={t('quotes.lead')} result={result}>
      {({ signals }) => (
        <Stack gap="lg">
          <SearchForm key={search.toString()} search={search} change={change} />
          <Panel
            title={t('nav.quotes')}
            actions={<Badge variant="light">{signals?.totalCount ?? 0}</Badge>}
          >
            {signals?.nodes.length === 0 ? (
              <EmptyPage title={t('quotes.none')} hint={t('quotes.noneHint')} />
            ) : (
              <ul className="rows">
                {signals?.nodes.map((quote) => (
                  <Quote key={quote.id} quote={quote} />
                ))}
              </ul>
            )}
            <PageLinks page={signals?.pageInfo} />
          </Panel>
        </Stack>
      )}
    </Screen>
  );
}

interface FormProps {
  readonly search: URLSearchParams;
  readonly change: (values: Readonly<Record<string, string>>) => void;
}

/** Words, speaker, company, theme and days to search for, and how well the speakers are shown. */
function SearchForm({ search, change }: FormProps) {
  const { t, name } = useTranslator();
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries([...searchFields, ...dayFields].map((one) => [one, search.get(one) ?? ''])),
  );
  const set = (field: string, value: string) => setValues({ ...values, [field]: value });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change(values);
  };
  return (
    <form role="search" onSubmit={submit}>
      <Group gap="sm" align="flex-end">
        {searchFields.map((field) => (
          <TextInput
            key={field}
            label={t(fieldLabels[field])}
            maxLength={200}
            dir="auto"
            value={values[field] ?? ''}
            onChange={(event) => set(field, event.currentTarget.value)}
          />
        ))}
        {dayFields.map((field) => (
          <TextInput
            key={field}
            type="date"
            label={t(`quotes.${field}`)}
            value={values[field] ?? ''}
            onChange={(event) => set(field, event.currentTarget.value)}
          />
        ))}
        <Button type="submit">{t('quotes.search')}</Button>
        <SegmentedControl
          aria-label={t('quotes.certainty')}
          value={certaintyOf(search)}
          onChange={(value) => change({ certainty: value })}
          data={[
            ...certainties.map((one) => ({ value: one, label: name('certainty', one) })),
            { value: 'all', label: t('action.allShort') },
          ]}
        />
      </Group>
    </form>
  );
}

function Quote({ quote }: { quote: QuoteRowFragment }) {
  const { t, date } = useTranslator();
  const { document } = quote;
  const probably = (name: string) => t('document.probableSpeaker', { name });
  const base = `${window.location.origin}/console`;
  const speaker = speakerOf(quote, probably);
  const at = document?.extractedDate ?? document?.createdAt;
  return (
    <li data-quote={quote.id}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text fw={550} dir="auto" component="div" style={{ overflowWrap: 'anywhere' }}>
          {document ? (
            <ScreenLink to={passageOf(quote)}>{quoted(quote.quote)}</ScreenLink>
          ) : (
            quoted(quote.quote)
          )}
        </Text>
        <CopyButton value={citation(quote, { probably, date, base })}>
          {({ copied, copy }) => (
            <Button
              size="compact-xs"
              variant="light"
              style={{ flexShrink: 0 }}
              leftSection={<IconCopy size={14} aria-hidden />}
              aria-label={t('quotes.copyOf', { quote: quote.quote.slice(0, 60) })}
              onClick={copy}
            >
              {copied ? t('action.copied') : t('action.copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Text size="sm" dir="auto">
        {[speaker ?? t('quotes.nobody'), quote.companyName, document?.title, at && date(at)]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {quote.paraphrase && (
        <Text size="sm" c="dimmed" dir="auto">
          {t('document.paraphrase', { text: quote.paraphrase })}
        </Text>
      )}
      <Group gap="xs" mt={4}>
        <Badge variant="light" color="gray" tt="none" size="sm">
          {quote.theme}
        </Badge>
        <SentimentBadge value={quote.stance} />
      </Group>
    </li>
  );
}
