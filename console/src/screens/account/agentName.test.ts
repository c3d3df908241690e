import { expect, test } from 'vitest';
import { agentName } from './agentName';

test('a browser is named with its system', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
  expect(agentName(chrome)).toBe('Chrome · Linux');
  expect(agentName(`${chrome} Edg/130.0`)).toBe('Edge · Linux');
  expect(agentName('curl/8.5.0')).toBe('curl/8.5.0');
  expect(agentName('')).toBe('');
});
