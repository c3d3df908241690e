import { expect, test } from 'vitest';
import { linkAddress } from './linkAddress';

test.each([
  ['https://example.com/ask?a=b#c', 'https://example.com/ask?a=b#c'],
  [' HTTP://example.com ', 'HTTP://example.com'],
  ['mailto:press@example.com', 'mailto:press@example.com'],
  ['tel:+41441234567', 'tel:+41441234567'],
  ['#part', '#part'],
  ['example.com', 'https://example.com'],
  ['www.example.com/a path'.replace(' ', '%20'), 'https://www.example.com/a%20path'],
  ['zürich.example:8080/x', 'https://zürich.example:8080/x'],
  ['localhost:8080', 'https://localhost:8080'],
  ['//example.com/x', 'https://example.com/x'],
  ['press@example.com', 'mailto:press@example.com'],
])('%j is the address %j', (text, address) => {
  expect(linkAddress(text)).toBe(address);
});

test.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)//example.com',
  'java\tscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://example.com',
  'https://',
  'mailto:',
  'https://exa mple.com',
  'two words',
  'word',
  '/page',
  '?a=b',
])('%j is refused', (text) => {
  expect(linkAddress(text)).toBeNull();
});
