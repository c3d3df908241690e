import type { GenerateContentInput, SaveDraftInput } from '../../graph/drafts/graphql';
import { wordsOf } from '../../ui/sourceFields';

/** A document to write from. */
export interface BriefSource {
  readonly id: string;
  readonly title: string;
}

/** How many documents a text may be written from. */
export const maxSources = 10;

/** What a text is to be written from, as the fields of its form have it. */
export interface Brief {
  readonly prompt: string;
  readonly sources: readonly BriefSource[];
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
  /** About how long the text is to be, in words. */
  readonly targetWords: number | '';
}

export const emptyBrief: Brief = {
  ...{ sources: [], targetWords: '' },
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

/** The documents of a brief as the graph has them: the first, and further ones. */
const sourcesOf = ({ sources: [first, ...more] }: Brief) => ({
  sourceDocumentId: first?.id,
  moreSourceDocumentIds: more.map(({ id }) => id),
});

/** Returns the request of a brief; fields that are empty are left out. */
export function requestOf(brief: Brief) {
  const { prompt, contentType, speaker, voice, tone, structure, example, titleLength } = brief;
  const input: GenerateContentInput = {
    ...{ prompt, contentType, ...sourcesOf(brief) },
    ...{ audiences: wordsOf(brief.audiences), themes: wordsOf(brief.themes) },
    pullThroughPriorities: pointsOf(brief),
    sourceDocumentExcerpt: (brief.sources.length === 0 && brief.sourceText.trim()) || undefined,
    ...{ tonePersonaId: speaker || undefined, voiceProfileId: voice || undefined },
    ...{ tonePersonaHelper: tone.trim() || undefined },
    ...{ templateInstructions: structure.trim() || undefined },
    ...{ templateReferenceExcerpt: example.trim() || undefined },
    preferredTitleLength: titleLength || undefined,
    targetWords: brief.targetWords || undefined,
  };
  return input;
}

/** Returns the draft that keeps a written text with its brief. */
export function draftOf(brief: Brief, content: string) {
  const { prompt, contentType, speaker, voice } = brief;
  const input: SaveDraftInput = {
    ...{ title: titleOf(content), content, contentType: 'markdown' },
    ...{ prompt, ...sourcesOf(brief), contentTypeValue: contentType },
    ...{ themes: wordsOf(brief.themes), pullThroughPriorities: pointsOf(brief) },
    ...{ tonePersonaId: speaker || undefined, voiceProfileId: voice || undefined },
  };
  return input;
}
