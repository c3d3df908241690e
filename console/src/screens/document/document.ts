import type { DocumentScreenQuery } from '../../graph/document/graphql';

/** The document of the screen. */
export type DocumentDetails = NonNullable<DocumentScreenQuery['document']>;
