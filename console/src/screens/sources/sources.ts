import type {
  BackloadRowFragment,
  SourcesQuery,
  StartBackloadInput,
} from '../../graph/sources/graphql';

/** The job that is chosen in the address, with its addresses. */
export type ChosenJob = NonNullable<SourcesQuery['job']>;

/** Returns the input that starts a backload again as it was, tried or for good; null if unknown. */
export function inputOf(job: BackloadRowFragment, dryRun: boolean): StartBackloadInput | null {
  const given = job.parameters && 'sourceUrls' in job.parameters ? job.parameters : null;
  if (!given) {
    return null;
  }
  const { sourceUrls, feedUrl, since, visibility, mediaProvenance } = given;
  return {
    ...(feedUrl ? { feedUrl } : { sourceUrls }),
    since,
    visibility,
    mediaProvenance,
    dryRun,
  };
}

/** Returns the totals of a backload, or null before its end. */
export const totalsOf = ({ result }: BackloadRowFragment) =>
  result && 'total' in result ? result : null;
