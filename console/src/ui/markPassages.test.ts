import type { Root } from 'hast';
import { expect, test } from 'vitest';
import { markPassages, sourceOffsets } from './markPassages';

test('a shown text is found in its source without markup', () => {
  expect(sourceOffsets('a \\*b\\* c', 0, 9, 'a *b* c')).toEqual([0, 1, 3, 4, 6, 7, 8]);
  expect(sourceOffsets('one\n  two', 0, 9, 'one\ntwo')).toEqual([0, 1, 2, 3, 6, 7, 8]);
});

test('passages are marked at offsets of code points, also where they overlap', () => {
  const source = '👍 **Sales fell** by 4 %.';
  const text = (value: string, start: number) => ({
    type: 'text' as const,
    value,
    position: {
      start: { line: 1, column: start + 1, offset: start },
      end: { line: 1, column: start + value.length + 1, offset: start + value.length },
    },
  });
  const tree: Root = {
    type: 'root',
    children: [text('👍 ', 0), text('Sales fell', 5), text(' by 4 %.', 17)],
  };
  const passage = { label: '', color: 'blue' };
  markPassages(source, [
    { id: 'a', start: 4, end: 9, ...passage }, // Sales
    { id: 'b', start: 4, end: 19, ...passage }, // Sales fell** by
  ])()(tree);
  const marks = tree.children.map((node) =>
    node.type === 'element'
      ? [
          node.properties['dataPassages'],
          node.children.map((child) => 'value' in child && child.value).join(''),
        ]
      : 'value' in node && node.value,
  );
  expect(marks).toEqual(['👍 ', ['a b', 'Sales'], ['b', ' fell'], ['b', ' by'], ' 4 %.']);
});
