import type { HomeQuery } from '../../graph/graphql';

/**
 * Counts today's opens by hour, from the newest sessions of the most opened links. `isPart` is true
 * if there may be more: in links that are not listed, or in earlier sessions of a link.
 */
export function opensToday(data: HomeQuery): { byHour: number[]; total: number; isPart: boolean } {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const byHour = Array.from({ length: new Date().getHours() + 1 }, () => 0);
  const links = data.links?.nodes ?? [];
  let isPart =
    (data.links?.totalCount ?? 0) > links.length && links.every(({ openCount }) => openCount > 0);
  for (const { sessions } of links) {
    const today = sessions?.nodes.filter(({ openedAt }) => Date.parse(openedAt) >= midnight) ?? [];
    isPart ||= Boolean(sessions?.pageInfo.hasNextPage) && today.length === sessions?.nodes.length;
    for (const { openedAt } of today) {
      const hour = new Date(openedAt).getHours();
      byHour[hour] = (byHour[hour] ?? 0) + 1;
    }
  }
  return { byHour, total: byHour.reduce((sum, count) => sum + count, 0), isPart };
}
