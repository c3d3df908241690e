import type { PersonaScreenQuery } from '../../graph/persona/graphql';

/** The persona of the screen. */
export type PersonaDetails = NonNullable<PersonaScreenQuery['persona']>;
