import type {
  BulkAction,
  BulkField,
  BulkSetInput,
  DocumentFilter,
  StartBulkUpdateInput,
  Visibility,
} from '../../graph/documents/graphql';
import type { MessageKey } from '../../i18n';

/** The fields that a bulk update sets by a text or a day. */
export const textFields = ['company', 'executive', 'communicationType', 'extractedDate'] as const;
export type TextField = (typeof textFields)[number];

export const fieldLabels: Record<BulkField, MessageKey> = {
  VISIBILITY: 'documents.visibility',
  EMBARGOED_UNTIL: 'documents.embargoedUntil',
  COMPANY: 'documents.company',
  EXECUTIVE: 'documents.executive',
  COMMUNICATION_TYPE: 'documents.type',
  EXTRACTED_DATE: 'documents.published',
  AUTO_TAG: 'bulk.tag',
};

export const textFieldLabels: Record<TextField, MessageKey> = {
  company: fieldLabels.COMPANY,
  executive: fieldLabels.EXECUTIVE,
  communicationType: fieldLabels.COMMUNICATION_TYPE,
  extractedDate: fieldLabels.EXTRACTED_DATE,
};

/** What becomes of a field: it stays, gets a value, or is emptied. */
export type Intent = 'keep' | 'set' | 'clear';

/** A value of an auto-tag that is set, or removed. */
export interface BulkTag {
  readonly autoTagId: string;
  readonly intent: Exclude<Intent, 'keep'>;
  readonly value: string;
}

/** What a form sets in documents. */
export interface BulkForm {
  readonly visibility: Visibility | '';
  /** The end of an embargo: a time of the browser's zone. */
  readonly until: string;
  readonly fields: Readonly<Record<TextField, { readonly intent: Intent; readonly value: string }>>;
  readonly tags: readonly BulkTag[];
}

const kept = { intent: 'keep', value: '' } as const;

export const emptyForm: BulkForm = {
  visibility: '',
  until: '',
  fields: { company: kept, executive: kept, communicationType: kept, extractedDate: kept },
  tags: [],
};

/** Returns what a form sets; null if that is nothing, or if a value is missing. */
export function setOf({ visibility, until, fields, tags }: BulkForm): BulkSetInput | null {
  const set: Record<string, unknown> = {};
  if (visibility) {
    set['visibility'] = visibility;
  }
  if (visibility === 'EMBARGOED') {
    if (!until) {
      return null;
    }
    set['embargoedUntil'] = new Date(until).toISOString();
  }
  for (const name of textFields) {
    const { intent, value } = fields[name];
    if (intent === 'clear') {
      set[name] = null;
    }
    if (intent === 'set') {
      if (!value.trim()) {
        return null;
      }
      set[name] = name === 'extractedDate' ? `${value}T00:00:00Z` : value.trim();
    }
  }
  if (tags.some(({ intent, value }) => intent === 'set' && !value.trim())) {
    return null;
  }
  if (tags.length > 0) {
    set['autoTagValues'] = tags.map(({ autoTagId, intent, value }) => ({
      autoTagId,
      value: intent === 'set' ? value.trim() : null,
    }));
  }
  return Object.keys(set).length > 0 ? set : null;
}

/** The selected documents: some by their ids, or all that match the filter of the list. */
export type Selection =
  | { readonly ids: ReadonlySet<string>; readonly filter?: undefined }
  | { readonly filter: DocumentFilter; readonly count: number };

export const nothingSelected: Selection = { ids: new Set() };

export const countOf = (selection: Selection) =>
  selection.filter ? selection.count : selection.ids.size;

export const isSelected = (selection: Selection, id: string) =>
  selection.filter !== undefined || selection.ids.has(id);

/**
 * Returns the selection with the document if it lacks it, else without it. Of all that match, the
 * documents of the page stay.
 */
export function toggled(selection: Selection, id: string, page: readonly string[]): Selection {
  const ids = new Set(selection.filter ? page : selection.ids);
  if (!ids.delete(id)) {
    ids.add(id);
  }
  return { ids };
}

/** The most documents that can be selected by ids. */
export const maxIds = 1000;

/** Returns the input of a bulk update of the selection. */
export function bulkInput(
  selection: Selection,
  action: BulkAction,
  set: BulkSetInput | null,
  dryRun: boolean,
): StartBulkUpdateInput {
  const documents = selection.filter
    ? { filter: selection.filter }
    : { documentIds: [...selection.ids].slice(0, maxIds) };
  return { ...documents, action, dryRun, ...(set && { set }) };
}
