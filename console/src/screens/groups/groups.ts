import type { GroupsQuery } from '../../graph/groups/graphql';

/** An audience group as its screen shows it. */
export type AudienceGroup = NonNullable<GroupsQuery['audienceGroups']>['nodes'][number];

/** A persona that may be moved to a group. */
export type GroupPersona = NonNullable<GroupsQuery['personas']>['nodes'][number];
