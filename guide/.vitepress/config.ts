import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { defineConfig, type MarkdownOptions, type Plugin } from 'vitepress';
import { addressOf, groups, pageOf } from './pages';

// The sources stay where viewers of the repository look for them: docs/, and a few files of the root.
const root = resolve(import.meta.dirname, '../..');
const sources = Object.values(groups).flat();

for (const name of readdirSync(resolve(root, 'docs'))) {
  if (!sources.includes(`docs/${name}`)) {
    throw new Error(`docs/${name} is in no group of guide/.vitepress/pages.ts`);
  }
}

/** Returns the first heading of a file. */
function headingOf(source: string) {
  const text = readFileSync(resolve(root, source), 'utf8');
  return /^# (.+)$/m.exec(text)?.[1] ?? source;
}

/** Returns the address in the guide of a link that is relative to the source's folder, as viewers of files read it. */
function resolveLink(source: string, href: string) {
  const [path, fragment] = href.split('#');
  const target = posix.join(posix.dirname(source), path);
  if (sources.includes(target)) {
    return `${addressOf(target)}${fragment ? `#${fragment}` : ''}`;
  }
  throw new Error(`${source} links to ${target}, which is ${existsSync(resolve(root, target)) ? 'no page of the guide' : 'missing'}`);
}

const resolveLinks: MarkdownOptions['config'] = (md) => {
  md.core.ruler.push('source-links', ({ tokens, env }) => {
    const source = posix.relative(root, env.realPath ?? env.path);
    for (const token of tokens.flatMap((token) => token.children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : undefined;
      if (href && !/^([a-z]+:|#|\/)/.test(href)) {
        token.attrSet('href', resolveLink(source, href));
      }
    }
  });
};

// Pages outside this folder would not find its packages.
const ownPackages: Plugin = {
  name: 'own-packages',
  enforce: 'pre',
  resolveId(id, importer) {
    return /^vue(\/|$)/.test(id) && importer?.endsWith('.md')
      ? this.resolve(id, import.meta.filename, { skipSelf: true })
      : null;
  },
};

export default defineConfig({
  title: 'Rostrum',
  description: 'The guide to Rostrum, a GraphQL gateway for communications teams',
  base: '/guide/',
  srcDir: root,
  outDir: resolve(root, 'guide/dist'),
  // everything else that is Markdown, such as labelled texts of tests
  srcExclude: ['!(docs|llm)/**/*', 'llm/!(offline)/**/*'],
  rewrites: (source) => (sources.includes(source) ? pageOf(source) : source),
  cleanUrls: true,
  metaChunk: true,
  head: [['link', { rel: 'icon', href: '/favicon.ico' }]],
  markdown: {
    config: resolveLinks,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' }, // the usual ones have too little contrast
  },
  vite: { plugins: [ownPackages] },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    // Relative to a page: VitePress puts its base before addresses that begin with a slash.
    nav: [
      { text: 'Console', link: '../console/', target: '_self' },
      { text: 'Playground', link: '../playground', target: '_self' },
      { text: 'REST', link: '../docs', target: '_self' },
    ],
    sidebar: Object.entries(groups).map(([text, list]) => ({
      text,
      items: list.map((source) => ({ text: headingOf(source), link: addressOf(source) })),
    })),
  },
});
