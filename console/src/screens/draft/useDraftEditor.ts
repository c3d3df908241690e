import { useState } from 'react';
import { type CombinedError, useMutation } from 'urql';
import { failureCode } from '../../client';
import {
  AnalyzeTextDocument,
  type DraftTextFragment,
  SaveDraftDocument,
  type SaveDraftInput,
  StoredDraftDocument,
} from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { useNotice } from '../../ui/notice';
import { useDebouncedQuery } from '../../ui/useDebouncedQuery';
import { type FormState, type FormValue, useFormState } from '../../ui/useFormState';
import { useFreshRead } from '../../ui/useFreshRead';
import type { DraftDetails } from './draft';
import {
  type DraftFields,
  type Point,
  analysisInput,
  filledPoints,
  isSameFields,
  pointInputs,
  savedFields,
  storedFields,
} from './draftFields';
import { useDraftSaving, useDraftStorage } from './useDraftStorage';

/** The longest text to analyze, in UTF-16 units; the gateway counts code points, which are fewer. */
const longestText = 100_000;

/** The fields of a draft while they are edited, and their analysis. */
export function useDraftEditor(draft: DraftDetails) {
  const { item, restored } = useDraftStorage<FormValue<DraftFields>>(draft.id);
  const form = useFormState(storedFields(draft), isSameFields, restored);
  useDraftSaving(item, form.isChanged ? { base: form.base, value: form.value } : null);
  const { title, content, points } = form.value;
  const setField = (part: Partial<DraftFields>) =>
    form.change((before) => ({ ...before, ...part }));
  return {
    title,
    setTitle: (value: string) => setField({ title: value }),
    content,
    setContent: (value: string) => setField({ content: value }),
    points,
    setPoints: (change: (before: readonly Point[]) => readonly Point[]) =>
      form.change((before) => ({ ...before, points: change(before.points) })),
    filledPoints: filledPoints(points),
    isChanged: form.isChanged,
    isRestorable: item !== null,
    ...useSaving(draft, form),
    ...useAnalysis(draft, form),
  };
}

/**
 * Saves the fields if the stored draft has the version that they began with. Otherwise the stored
 * draft is a conflict.
 */
function useSaving(draft: DraftDetails, form: FormState<DraftFields>) {
  const notify = useNotice();
  const { t } = useTranslator();
  const { read } = useFreshRead(StoredDraftDocument, { id: draft.id });
  const [{ fetching, error }, save] = useMutation(SaveDraftDocument);
  const [conflict, setConflict] = useState<DraftTextFragment | null>(null);
  const loadConflict = async () => {
    setConflict((await read())?.draft ?? null);
    if (!form.isChanged) {
      notify(t('conflict.title'), true);
    }
  };
  const store = async (version = form.base.version ?? draft.version) => {
    const sent = form.value;
    const input: SaveDraftInput = {
      draftId: draft.id,
      ifVersion: [version],
      title: sent.title,
      content: sent.content,
      pullThroughPriorities: pointInputs(sent.points),
    };
    const { data, error: refusal } = await save({ input });
    if (isConflict(refusal)) {
      await loadConflict();
    }
    const saved = data?.saveDraft?.draft;
    if (!saved) {
      return false;
    }
    const stored = storedFields(saved);
    setConflict(null);
    form.setBase(stored, (present) => savedFields(present, sent, stored.value));
    notify(t('drafts.stored'));
    return true;
  };
  const takeStored = () => {
    if (conflict) {
      form.setBase(storedFields(conflict));
      setConflict(null);
    }
  };
  return {
    fetching,
    error: isConflict(error) ? undefined : error,
    conflict: form.isChanged && conflict?.version !== form.base.version ? conflict : null,
    store,
    takeStored,
  };
}

function isConflict(error: CombinedError | undefined): boolean {
  return failureCode({ error }) === 'precondition_failed';
}

/** The analysis of the fields: the stored draft's until the text or the points change. */
function useAnalysis(draft: DraftDetails, { value, base }: FormState<DraftFields>) {
  const input = analysisInput(value);
  const isTooLong = value.content.length > longestText;
  const isAnalyzed = value.content.trim() !== '' && !isTooLong;
  const isStored =
    draft.version === base.version &&
    JSON.stringify(input) === JSON.stringify(analysisInput(base.value));
  const [saved] = useState(draft.analysis ? { textAnalysis: draft.analysis } : null);
  const { data, error, isCurrent } = useDebouncedQuery(
    AnalyzeTextDocument,
    { input },
    saved,
    isAnalyzed && !isStored,
  );
  const found = isStored ? draft.analysis : data?.textAnalysis;
  return {
    analysis: (isAnalyzed && found) || null,
    live: { error: isStored ? undefined : error, isCurrent: isStored || isCurrent, isTooLong },
  };
}

export type DraftEditor = ReturnType<typeof useDraftEditor>;
