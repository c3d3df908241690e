import type { ComparisonScreenQuery } from '../../graph/comparison/graphql';

type Node = NonNullable<ComparisonScreenQuery['node']>;

/** The result of a stored comparison. */
export type ComparisonResult = NonNullable<Extract<Node, { result?: unknown }>['result']>;
