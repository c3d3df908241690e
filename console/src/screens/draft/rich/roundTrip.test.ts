import { getSchema } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { expect, test } from 'vitest';
import { MarkdownText } from './markdownText';
import { parseText } from './parse';
import { extensions } from './schema';
import { writeBlock } from './write';

/** Returns a generator of random numbers, which are the same for a seed. */
function random(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <Value>(values: readonly Value[]) => values[below(values.length)] as Value;
  const list = <Value>(least: number, most: number, make: () => Value) =>
    Array.from({ length: least + below(most - least + 1) }, make);
  return { below, pick, list };
}

const schema = getSchema(extensions);

type Random = ReturnType<typeof random>;

const words =
  'We open the quay in March 2026 – über Brücken, 日本 😀 snake_case 3×4 a.b@c.example e.g. “soon” & R&D 50% [sic] #1 it’s'.split(
    ' ',
  );

const plain = (r: Random) => r.list(1, 6, () => r.pick(words)).join(' ');
const simple = (r: Random) => r.list(1, 3, () => r.pick(words.slice(0, 6))).join(' ');

/** Returns words in the form that the editor writes. */
const line = (r: Random) =>
  r
    .list(1, 3, () =>
      r.pick([
        plain,
        plain,
        (x: Random) => `**${simple(x)}**`,
        (x: Random) => `*${simple(x)}*`,
        (x: Random) => `~~${simple(x)}~~`,
        (x: Random) => `\`${simple(x)}\``,
        (x: Random) => `[${simple(x)}](https://example.com/${x.below(9)})`,
        (x: Random) => `**${simple(x)} *${simple(x)}* ${simple(x)}**`,
        () => '![a quay](https://example.com/quay.png)',
        () => '<span lang="de">Kai</span>',
      ])(r),
    )
    .join(' ');

const cells = (r: Random, width: number) =>
  `| ${Array.from({ length: width }, () => simple(r)).join(' | ')} |`;

function listOf(r: Random, marker: () => string): string {
  return r
    .list(1, 4, () => {
      const start = marker();
      const inner = r.below(4) === 0 ? `\n${' '.repeat(start.length)}- ${line(r)}` : '';
      return `${start}${line(r)}${inner}`;
    })
    .join('\n');
}

function numbered(r: Random): string {
  let number = 0;
  return listOf(r, () => `${++number}. `);
}

function table(r: Random): string {
  const width = 2 + r.below(3);
  const rule = Array.from({ length: width }, () => r.pick(['-', ':-', '-:', ':-:']));
  return [cells(r, width), `| ${rule.join(' | ')} |`, ...r.list(1, 3, () => cells(r, width))].join(
    '\n',
  );
}

/** Returns a block in the form that the editor writes. */
const normalBlock = (r: Random): string =>
  r.pick([
    line,
    line,
    (x: Random) => `${line(x)}\n${line(x)}`,
    (x: Random) => `${line(x)}\\\n${line(x)}`,
    (x: Random) => `${'#'.repeat(1 + x.below(6))} ${line(x)}`,
    (x: Random) => listOf(x, () => '- '),
    numbered,
    (x: Random) => `> ${line(x)}\n>\n> ${line(x)}`,
    table,
    () => '---',
    (x: Random) => `\`\`\`ts\n${plain(x)}\n\n  ${plain(x)}\n\`\`\``,
    () => '<div class="note">\nA note.\n</div>',
  ])(r);

/** Returns a block in a form that people write and the editor does not. */
const oddBlock = (r: Random): string =>
  r.pick([
    normalBlock,
    (x: Random) => `${line(x)}  \n   ${line(x)}   `,
    (x: Random) => `${line(x).replaceAll('\n', ' ')}\n===`,
    (x: Random) => `*   ${line(x)}\n\n\n*   ${line(x)}\n\n        code`,
    (x: Random) => `+ [ ] ${line(x)}\n+ [x] ${line(x)}\n    1) ${line(x)}\n    3) ${line(x)}`,
    (x: Random) => `__${simple(x)}__ and _${simple(x)}_ \\* &copy; &amp;\u00a0x`,
    (x: Random) => `    ${plain(x)}\n\n\t${plain(x)}`,
    (x: Random) => `> ${line(x)}\nlazy ${line(x)}\n>> deep`,
    (x: Random) => `[^1]: ${line(x)}\n\n    ${line(x)}`,
    () => '[ref]: https://example.com "A title"',
    (x: Random) => `See [the quay][ref], [ref] and ${line(x)}[^1] <https://example.com>`,
    (x: Random) => `|a|b|\n|:-|---|\n|${simple(x)}|\n`,
    () => '~~~\nfenced\n~~~~',
    () => '***\n* * *\n___',
    () => '<!-- a comment -->',
    () => '[](https://example.com) ** not bold** _a_b_ 3*4*5 ****',
    (x: Random) => `${'>'.repeat(20)} ${plain(x)}`,
    () => '---\ntitle: front\n---',
  ])(r);

/** Returns blocks with words between lists, which would be one list. */
const normalText = (r: Random) =>
  r
    .list(1, 3, () => normalBlock(r))
    .flatMap((block, i, all) => {
      const isList = (one = '') => /^(-|\d+\.) /.test(one);
      return isList(block) && isList(all[i - 1]) ? ['Between lists', block] : [block];
    })
    .join('\n\n');

const oddText = (r: Random) =>
  r.pick(['', '\n', '  \n\n', '\ufeff']) +
  r
    .list(1, 4, () => oddBlock(r) + r.pick(['\n\n', '\n\n\n', '\n \n', '\n']))
    .join('')
    .replaceAll('\n', r.pick(['\n', '\n', '\r\n'])) +
  r.pick(['', '\n', '   ']);

/** How long 10,000 texts may take on a busy machine. */
const patience = { timeout: 5 * 60_000 };

const style = { bullet: '-', emphasis: '*', strong: '*' } as const;

test(
  '10,000 texts in the form of the editor are written as they were read, block by block',
  patience,
  () => {
    for (let seed = 0; seed < 10_000; seed++) {
      const text = normalText(random(seed));
      const { blocks } = parseText(text, schema);
      const written = blocks.map(({ node }) => writeBlock(node, style, false)).join('\n\n');
      expect(written, `seed ${seed}`).toBe(text);
    }
  },
);

/** Changes a word of a block, and returns the document. */
function edit(doc: Node, index: number): Node {
  const children = [...doc.children];
  const paragraph = schema.nodes.paragraph;
  if (!paragraph) {
    throw new Error('no paragraph');
  }
  children[index] = paragraph.create(null, schema.text('Another one'));
  return schema.topNodeType.create(null, children);
}

test(
  '10,000 texts in any form stay byte for byte, but for the block that is edited',
  patience,
  () => {
    for (let seed = 0; seed < 10_000; seed++) {
      const r = random(seed);
      const text = oddText(r);
      const markdown = new MarkdownText(schema);
      const doc = markdown.read(text);
      doc.check();
      expect(markdown.write(doc).text, `seed ${seed}`).toBe(text);
      const copy = schema.topNodeType.create(null, doc.children);
      const written = markdown.write(copy);
      expect(written.text, `seed ${seed}, put together`).toBe(text);
      const index = r.below(doc.childCount);
      const place = written.blocks[index];
      if (!place) {
        continue;
      }
      const edited = markdown.write(edit(doc, index)).text;
      const head = text.slice(0, place.start).trimEnd();
      const end = text.slice(place.start + place.entry.source.length).trim();
      expect(edited.startsWith(head), `seed ${seed}, before`).toBe(true);
      expect(edited.trimEnd().endsWith(end), `seed ${seed}, after`).toBe(true);
      expect(markdown.write(doc).text, `seed ${seed}, undone`).toBe(text);
    }
  },
);
