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
import { mergeFields } from './mergeText';
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
    fields: form.value,
    base: form.base.value,
    isChanged: form.isChanged,
    isRestorable: item !== null,
    ...useSaving(draft, form),
    ...useAnalysis(form.value),
  };
}

/**
 * Saves the fields if the stored draft has the version that they began with. Otherwise changes of
 * different paragraphs are merged and saved; if both changed the same, the stored draft is a
 * conflict.
 */
function useSaving(draft: DraftDetails, form: FormState<DraftFields>) {
  const notify = useNotice();
  const { t } = useTranslator();
  const { read } = useFreshRead(StoredDraftDocument, { id: draft.id });
  const [{ fetching, error }, save] = useMutation(SaveDraftDocument);
  const [conflict, setConflict] = useState<DraftTextFragment | null>(null);
  const shown = form.value;
  /** Saves the shown fields, or merged ones in place of them. */
  const store = async (
    version = form.base.version ?? draft.version,
    sent = shown,
  ): Promise<boolean> => {
    const began = form.base.version ?? draft.version;
    // With both versions the stored text, which somebody else wrote, stays one of the versions.
    const versions = version === began ? [version] : [began, version];
    const { data, error: refusal } = await save({ input: saveInput(draft.id, versions, sent) });
    if (isConflict(refusal)) {
      return resolve();
    }
    const saved = data?.saveDraft?.draft;
    if (!saved) {
      return false;
    }
    const stored = storedFields(saved);
    setConflict(null);
    form.setBase(stored, (present) =>
      sent === shown
        ? savedFields(present, sent, stored.value)
        : mergeFields(present, shown, stored.value).build(() => 'mine'),
    );
    notify(t('drafts.stored'));
    return true;
  };
  /** Merges the fields with the draft that somebody else saved, and saves the text of both. */
  const resolve = async (): Promise<boolean> => {
    const stored = (await read())?.draft ?? null;
    const merge = stored && mergeFields(shown, form.base.value, storedFields(stored).value);
    if (!merge || merge.choices.length > 0 || !form.isChanged) {
      setConflict(stored);
      if (!form.isChanged) {
        notify(t('conflict.title'), true);
      }
      return false;
    }
    const isSaved = await store(
      stored.version,
      merge.build(() => 'mine'),
    );
    if (isSaved) {
      const name = stored.currentVersion?.author?.name ?? t('conflict.program');
      notify(t('conflict.merged', { name }));
    }
    return isSaved;
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

function saveInput(draftId: string, ifVersion: string[], fields: DraftFields): SaveDraftInput {
  const { title, content, points } = fields;
  return {
    draftId,
    ifVersion,
    title,
    content,
    pullThroughPriorities: pointInputs(points),
  };
}

function isConflict(error: CombinedError | undefined): boolean {
  return failureCode({ error }) === 'precondition_failed';
}

/** The analysis of the fields, in requests of its own: the draft opens without it. */
function useAnalysis(fields: DraftFields) {
  const isTooLong = fields.content.length > longestText;
  const isAnalyzed = fields.content.trim() !== '' && !isTooLong;
  const { data, ...live } = useDebouncedQuery(
    AnalyzeTextDocument,
    { input: analysisInput(fields) },
    undefined,
    isAnalyzed,
  );
  return {
    analysis: (isAnalyzed && data?.textAnalysis) || null,
    live: { ...live, error: isAnalyzed ? live.error : undefined, isTooLong },
  };
}

export type DraftEditor = ReturnType<typeof useDraftEditor>;
