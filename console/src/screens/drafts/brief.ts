import type { GenerateContentInput, SaveDraftInput } from '../../graph/drafts/graphql';
import { wordsOf } from '../../ui/sourceFields';

/** What a text is to be written from, as the fields of its form have it. */
export interface Brief {
  readonly prompt: string;
  /** A text to write from, where no document is given. */
  readonly sourceText: string;
  /** The points that it must make, one in each line. */
  readonly points: string;
  readonly contentType: string;
  /** For whom it is, and its themes, with commas between them. */
  readonly audiences: string;
  readonly themes: string;
  /** The ids of personas: who speaks, and whose voice is imitated; empty for nobody. */
  readonly speaker: string;
  readonly voice: string;
  readonly tone: string;
  readonly structure: string;
  readonly example: string;
  readonly titleLength: number | '';
}

export const emptyBrief: Brief = {
  ...{ prompt: '', sourceText: '', points: '', contentType: 'auto', audiences: '', themes: '' },
  ...{ speaker: '', voice: '', tone: '', structure: '', example: '', titleLength: '' },
};

/** The points of a brief: its lines that are not blank. */
const pointsOf = (brief: Brief) =>
  brief.points
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((text) => ({ text, level: 'must' }));

/** Returns the first heading of a Markdown text, which is its title; undefined without one. */
export const titleOf = (content: string): string | undefined =>
  /^#{1,6} +(.+?)[ #]*$/m.exec(content)?.[1]?.slice(0, 1000);

/** Returns the request of a brief; fields that are empty are left out. */
export function requestOf(brief: Brief, sourceDocumentId: string | undefined) {
  const { prompt, contentType, speaker, voice, tone, structure, example, titleLength } = brief;
  const input: GenerateContentInput = {
    ...{ prompt, contentType, sourceDocumentId },
    ...{ audiences: wordsOf(brief.audiences), themes: wordsOf(brief.themes) },
    pullThroughPriorities: pointsOf(brief),
    sourceDocumentExcerpt: (!sourceDocumentId && brief.sourceText.trim()) || undefined,
    ...{ tonePersonaId: speaker || undefined, voiceProfileId: voice || undefined },
    ...{ tonePersonaHelper: tone.trim() || undefined },
    ...{ templateInstructions: structure.trim() || undefined },
    ...{ templateReferenceExcerpt: example.trim() || undefined },
    preferredTitleLength: titleLength || undefined,
  };
  return input;
}

/** Returns the draft that keeps a written text with its brief. */
export function draftOf(brief: Brief, sourceDocumentId: string | undefined, content: string) {
  const { prompt, contentType, speaker, voice } = brief;
  const input: SaveDraftInput = {
    ...{ title: titleOf(content), content, contentType: 'markdown' },
    ...{ prompt, sourceDocumentId, contentTypeValue: contentType },
    ...{ themes: wordsOf(brief.themes), pullThroughPriorities: pointsOf(brief) },
    ...{ tonePersonaId: speaker || undefined, voiceProfileId: voice || undefined },
  };
  return input;
}
