import type { QuoteRowFragment, SignalFilter, SpeakerCertainty } from '../../graph/quotes/graphql';
import type { MessageKey } from '../../i18n';
import { passageAddress } from '../../ui/address';
import { dayOf } from '../documents/documentFilter';

/** The fields of the search. Each is a parameter of the address. */
export const searchFields = ['q', 'speaker', 'company', 'theme'] as const;
export type SearchField = (typeof searchFields)[number];

export const fieldLabels: Record<SearchField, MessageKey> = {
  q: 'quotes.words',
  speaker: 'quotes.speaker',
  company: 'documents.company',
  theme: 'quotes.theme',
};

/** The days that the text was published within, both included. */
export const dayFields = ['from', 'to'] as const;

export const certainties: readonly SpeakerCertainty[] = ['PROVED', 'PROBABLE'];

const dayLength = 86_400_000;

/**
 * Returns how well the speakers of the list of an address are shown. Without a choice they are
 * proved; `all` has statements without a speaker too.
 */
export function certaintyOf(search: URLSearchParams): SpeakerCertainty | 'all' {
  const chosen = search.get('certainty');
  return chosen === 'all' ? chosen : (certainties.find((one) => one === chosen) ?? 'PROVED');
}

/** Returns the filter that an address describes. */
export function quoteFilter(search: URLSearchParams): SignalFilter {
  const text = (name: SearchField) => search.get(name)?.trim() || undefined;
  const one = (value: string | undefined) => (value ? [value] : undefined);
  const days = [dayOf(search, 'from'), dayOf(search, 'to')].filter((day) => day !== null).sort();
  const [from, to] = days.length > 1 ? days : [dayOf(search, 'from'), dayOf(search, 'to')];
  const certainty = certaintyOf(search);
  return {
    q: text('q'),
    speaker: text('speaker'),
    companies: one(text('company')),
    themes: one(text('theme')),
    certainty: certainty === 'all' ? undefined : certainty,
    published:
      from || to
        ? {
            from: from ? `${from}T00:00:00Z` : undefined,
            to: to ? new Date(Date.parse(to) + dayLength).toISOString() : undefined,
          }
        : undefined,
  };
}

/** The sentences of a citation in the language of the console. */
export interface CitationWords {
  /** Names a speaker who is only probable. */
  readonly probably: (name: string) => string;
  readonly date: (at: string) => string;
  /** The address of the console. */
  readonly base: string;
}

/** Returns who says a quote; a speaker who is only probable is named as such. */
export function speakerOf(quote: QuoteRowFragment, probably: (name: string) => string) {
  const name = quote.executive?.name ?? quote.speakerName;
  return name && quote.speakerCertainty === 'PROBABLE' ? probably(name) : name;
}

/** Returns the words of a quote in quotation marks, which those of some pages have already. */
export const quoted = (words: string) =>
  /^["“„«‘「『].*["”“»’」』]$/su.test(words) ? words : `“${words}”`;

/**
 * Returns a quote with its source: the words as they are in the document, the speaker, the title,
 * the date and the address of the source, or else of the passage in the console.
 */
export function citation(quote: QuoteRowFragment, { probably, date, base }: CitationWords): string {
  const { document } = quote;
  const at = document?.extractedDate ?? document?.createdAt;
  const source = [
    speakerOf(quote, probably),
    document?.title,
    at && date(at),
    document && (document.url ?? base + passageOf(quote)),
  ];
  return `${quoted(quote.quote)} — ${source.filter(Boolean).join(', ')}`;
}

/** Returns the address of the passage in the console. */
export const passageOf = ({ id, start, end, document }: QuoteRowFragment) =>
  passageAddress({ documentId: document?.id ?? '', findingId: id, start, end });
