/** The parts of a campaign, in the order of its parameters. */
export const campaignParts = ['source', 'medium', 'campaign', 'term', 'content'] as const;

export type Campaign = Partial<Record<(typeof campaignParts)[number], string>>;

/**
 * Returns an address with the parameters of a campaign, for example utm_source. The other parameters
 * stay as they are written, such as {session_id}.
 */
export function campaignAddress(address: string, campaign: Campaign): string {
  const at = address.indexOf('#');
  const [before, fragment] = at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at)];
  const [path = '', ...query] = before.split('?');
  const added = campaignParts.flatMap((part) => {
    const value = campaign[part]?.trim();
    return value ? [[`utm_${part}`, encodeURIComponent(value)] as const] : [];
  });
  const names = new Set<string | undefined>(added.map(([name]) => name));
  const parameters = [
    ...query
      .join('?')
      .split('&')
      .filter((text) => text && !names.has(text.split('=')[0])),
    ...added.map((pair) => pair.join('=')),
  ];
  return path + (parameters.length > 0 ? `?${parameters.join('&')}` : '') + fragment;
}
