import type { DraftScreenQuery } from '../../graph/draft/graphql';

/** The draft of the screen. */
export type DraftDetails = NonNullable<DraftScreenQuery['draft']>;

/** A persona that can read the draft. */
export type DraftReader = NonNullable<DraftScreenQuery['personas']>['nodes'][number];
