import type { LinkScreenQuery } from '../../graph/link/graphql';

/** The link of the screen. */
export type LinkDetails = NonNullable<LinkScreenQuery['link']>;
