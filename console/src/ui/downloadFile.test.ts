import { beforeEach, expect, test, vi } from 'vitest';

const storage = { getItem: () => null };
vi.stubGlobal('sessionStorage', storage);
vi.stubGlobal('localStorage', storage);
vi.stubGlobal('document', { querySelector: () => null });
vi.stubGlobal('window', {
  location: { href: 'https://gateway.example/console/', hash: '' },
  addEventListener: () => undefined,
});
const { downloadFile } = await import('./downloadFile');

const refuse = vi.fn();

beforeEach(() => void refuse.mockClear());

/** Has the gateway answer with a problem, and downloads a file. */
async function download(status: number, problem: string): Promise<boolean> {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(problem, { status })));
  return downloadFile('a.pdf', '/api/v1/documents/d/original', { refuse });
}

test('a download after the session ended opens the sign-in and fails with no other reason', async () => {
  const detail = 'send a workspace key in the header X-API-Key';
  expect(await download(401, JSON.stringify({ code: 'unauthenticated', detail }))).toBe(true);
  expect(refuse).toHaveBeenCalledWith('unauthenticated');
});

test.each([
  [404, '{"code":"not_found"}'],
  [403, '{"code":"insufficient_scope"}'],
  [502, 'Bad Gateway'],
])('a download that is refused with %i fails', async (status, problem) => {
  expect(await download(status, problem)).toBe(false);
  expect(refuse).not.toHaveBeenCalled();
});
