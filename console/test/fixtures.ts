// What every test has: windows whose requests and errors are recorded and checked, and servers of
// its own.
import {
  test as base,
  expect,
  type BrowserContext,
  type ConsoleMessage,
  type Page,
  type Request,
  type WebSocket,
} from '@playwright/test';
import { gateway, issuer, mutate } from './gateway';
import { createRows, type Screens } from './rows';
import { Sites } from './sites';

/** What the windows of a test have sent, and what went wrong in them. */
class Log {
  /** The operations of the graph, such as "query Home", and their bodies. */
  operations: string[] = [];
  bodies: (string | null)[] = [];
  /** The requests of scripts, such as "POST /graphql". */
  requests: string[] = [];
  sockets: WebSocket[] = [];
  /** The addresses that the page may not request. */
  foreign: string[] = [];
  /** The errors of scripts, and other ones in the browser's console. */
  failures: string[] = [];

  constructor(
    private ownPaths: RegExp,
    private expectedErrors: RegExp,
  ) {}

  watch(context: BrowserContext) {
    context.on('request', (request) => this.recordRequest(request));
    context.on('weberror', (error) => this.failures.push(error.error().message));
    context.on('console', (message) => this.recordMessage(message));
    context.on('page', (page) => page.on('websocket', (socket) => this.recordSocket(socket)));
  }

  private recordRequest(request: Request) {
    const { protocol, pathname } = new URL(request.url());
    this.recordForeign(request.url());
    if (protocol.startsWith('http') && !fileTypes.includes(request.resourceType())) {
      this.requests.push(`${request.method()} ${pathname}`);
    }
    if (pathname === '/graphql' && request.method() === 'POST') {
      const query: string = request.postDataJSON()?.query ?? '';
      this.bodies.push(request.postData());
      this.operations.push(query.match(/^(query|mutation) (\w+)/)?.[0] ?? 'upload');
    }
  }

  private recordSocket(socket: WebSocket) {
    this.sockets.push(socket);
    this.recordForeign(socket.url());
  }

  /**
   * Records an address on another host, except the identity provider's, or in another part of the
   * gateway.
   */
  private recordForeign(address: string) {
    const { protocol, host, pathname } = new URL(address);
    const isOwn = host === new URL(gateway).host && this.ownPaths.test(pathname);
    const isIssuer = issuer && host === new URL(issuer).host;
    if (!isOwn && !isIssuer && protocol !== 'data:' && protocol !== 'blob:') {
      this.foreign.push(address);
    }
  }

  private recordMessage(message: ConsoleMessage) {
    const isExpected = this.expectedErrors.test(message.text());
    if (message.type() === 'error' && !isExpected && !/WebSocket|ERR_/.test(message.text())) {
      this.failures.push(message.text());
    }
  }
}

/** Files that a page loads; other types of requests are sent by scripts. */
const fileTypes = [
  ...['document', 'stylesheet', 'image', 'media', 'font', 'script'],
  ...['texttrack', 'manifest', 'websocket'],
];

interface Options {
  /** The paths of the gateway that the pages of a test may request. */
  ownPaths: RegExp;
  /** The errors in the browser's console that a test causes. */
  expectedErrors: RegExp;
}

interface Fixtures {
  log: Log;
  sites: Sites;
  /** Has a mutation remove at the end of the test what would disturb later tests. */
  removeLater: (mutation: string, input: object) => void;
}

export const test = base.extend<Options & Fixtures, { screens: Screens }>({
  // The console, the graph, the sign-in, originals, files of bulk jobs, and the files of hosted pages for their preview.
  ownPaths: [
    /^\/(?:console\/|graphql$|api\/public\/|api\/v1\/documents\/\w+\/original$|api\/v1\/jobs\/\w+\/file$|l\/static\/|favicon\.ico$)/,
    { option: true },
  ],
  expectedErrors: [/status of 4\d\d/, { option: true }],
  log: ({ ownPaths, expectedErrors }, use) => use(new Log(ownPaths, expectedErrors)),
  context: async ({ context, log }, use) => {
    log.watch(context);
    await use(context);
    for (const page of context.pages()) {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
    expect(log.foreign, 'requests that the page may not send').toEqual([]);
    expect(log.failures, 'errors of the page').toEqual([]);
  },
  sites: async ({}, use) => {
    const sites = new Sites();
    await use(sites);
    sites.close();
  },
  removeLater: async ({}, use) => {
    const removals: [string, object][] = [];
    await use((mutation, input) => removals.push([mutation, input]));
    for (const [mutation, input] of removals) {
      await mutate(mutation, input, 'deletedId');
    }
  },
  screens: [async ({}, use) => use(await createRows()), { scope: 'worker', timeout: 300_000 }],
});

export { expect, type Log, type Page };
