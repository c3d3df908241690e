/** Programs by a part of their User-Agent; the first that is found counts. */
const programs: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

const find = (agent: string, table: typeof programs) =>
  table.find(([pattern]) => pattern.test(agent))?.[1];

/** Returns the program and the system of a User-Agent, or its first word. */
export function agentName(agent: string): string {
  const names = [find(agent, programs), find(agent, systems)].filter(Boolean);
  return names.length > 0 ? names.join(' · ') : (agent.split(' ')[0] ?? '');
}
