import type { AudienceQuery } from '../../graph/audience/graphql';

/** A persona of the matrix, with its reactions. */
export type AudiencePersona = NonNullable<AudienceQuery['personas']>['nodes'][number];

export type AudienceReaction = NonNullable<AudiencePersona['reactions']>['nodes'][number];
