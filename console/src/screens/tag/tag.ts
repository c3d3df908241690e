import type { TagScreenQuery } from '../../graph/tag/graphql';

/** An auto-tag as its screen shows it. */
export type Tag = NonNullable<TagScreenQuery['autoTag']>;
