import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const source = join(import.meta.dirname, 'src');
const folder = join(source, 'messages');

/** The modules that the page and its first screen import, and those that they import. */
function firstModules(path: string, found = new Set<string>()): Set<string> {
  const file = [path, `${path}.ts`, `${path}.tsx`, join(path, 'index.tsx')].find((name) =>
    statSync(name, { throwIfNoEntry: false })?.isFile(),
  );
  if (!file || found.has(file) || file.startsWith(join(source, 'graph'))) {
    return found;
  }
  found.add(file);
  const imports = /^import (?!type )[^;]*?'(\.[^']+)'/gm;
  for (const [, target] of readFileSync(file, 'utf8').matchAll(imports)) {
    firstModules(join(dirname(file), target ?? ''), found);
  }
  return found;
}

/**
 * Returns whether the first screen may show a message: its code has the key in quotation marks, or
 * makes a key of the area, as in `visibility.${value}` and name('jobStatus', value).
 */
function firstMessages(): (key: string) => boolean {
  const code = ['main.tsx', 'screens/home']
    .flatMap((start) => [...firstModules(join(source, start))])
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const find = (pattern: RegExp) => new Set([...code.matchAll(pattern)].map(([, name]) => name));
  const keys = find(/'(\w+\.[\w.]+)'/g);
  const areas = find(/(?:`|\b(?:name|text)\(\s*')(\w+)(?:\.\$\{|')/g);
  return (key) =>
    keys.has(key.replace(/_(zero|one|two|few|many|other)$/, '')) ||
    areas.has(key.slice(0, key.indexOf('.'))) ||
    key === 'direction';
}

const languages = () => readdirSync(folder).map((name) => name.replace('.json', ''));

/** Each file of messages is a language, of which the first screen loads only a part. */
function listLoaders(): string {
  const loaders = languages().map((language) => {
    const [first, later] = ['first', 'later'].map(
      (part) => `() => import('messages:${language}-${part}')`,
    );
    return `${JSON.stringify(language)}: { first: ${first}, later: ${later} }`;
  });
  return `export const loaders = { ${loaders.join(', ')} };`;
}

function listMessages(language: string, part: string): string {
  const isFirst = firstMessages();
  const all = JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as object;
  const chosen = Object.entries(all).filter(([key]) => isFirst(key) === (part === 'first'));
  return `export default ${JSON.stringify(Object.fromEntries(chosen))};`;
}

/** The modules `messages:languages`, and `messages:en-first` and `messages:en-later` of each language. */
export const messageParts: Plugin = {
  name: 'message-parts',
  resolveId: (id) => (id.startsWith('messages:') ? `\0${id}` : null),
  load(id) {
    const [, language, part] = /^\0messages:(\w+)(?:-(\w+))?$/.exec(id) ?? [];
    if (!language) {
      return null;
    }
    return part ? listMessages(language, part) : listLoaders();
  },
};
