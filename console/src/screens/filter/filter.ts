import type { FilterScreenQuery } from '../../graph/filter/graphql';

/** A comms filter as its screen shows it. */
export type Filter = Extract<
  NonNullable<FilterScreenQuery['filter']>,
  { readonly autoTagId: string }
>;

/** Reports whether people choose what the filter hides; else it follows the values of an auto-tag. */
export const isManual = ({ tagType }: Pick<Filter, 'tagType'>) => tagType === 'content_filter';

/** Returns the node of an address as a filter, or null if it is another one or none. */
export const filterOf = (node: FilterScreenQuery['filter'] | undefined): Filter | null =>
  node && 'tagType' in node ? (node as Filter) : null;
