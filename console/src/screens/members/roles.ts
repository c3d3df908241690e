import type { Role } from '../../graph/members/graphql';

/** The roles that members can have, the one with most rights first. */
export const roles = ['OWNER', 'EDITOR', 'AUTHOR', 'REVIEWER', 'VIEWER'] as const satisfies Role[];
