// Servers on loopback, whose pages the gateway reads and which receive its webhooks.
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Data } from './gateway';
import { type Folder, mailServer } from './mailServer';

const slugOf = (title: string) => title.toLowerCase().replaceAll(' ', '-');

function sendPage(response: ServerResponse, title: string) {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><html lang="en"><head><title>${title}</title></head><body><article><h1>${title}</h1>
    <p>The harbour authority counted more ferries on the northern route in its first quarter than any forecast had allowed for.</p>
    <p>Passengers named the earlier departures and the sheltered platform as their reasons to change from the ring road.</p></article></body></html>`);
}

/** The servers of a test, which closes them at its end. */
export class Sites {
  private servers: Server[] = [];

  close() {
    for (const server of this.servers) {
      if (server instanceof http.Server) {
        server.closeAllConnections();
      }
      server.close();
    }
  }

  private async listen(server: Server, scheme = 'http') {
    this.servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /**
   * Serves a page for each title. Each is sent only after release, so that its job can be watched
   * while it runs.
   */
  async pausedPages(titles: string[]) {
    const waiting: (() => void)[] = [];
    let allowed = 0;
    const release = (count: number) => {
      for (allowed += count; allowed > 0 && waiting.length > 0; allowed--) {
        waiting.shift()?.();
      }
    };
    const server = http.createServer(({ url = '' }, response) => {
      const title = titles.find((each) => url.endsWith(slugOf(each))) ?? 'No page';
      waiting.push(() => sendPage(response, title));
      release(0);
    });
    const address = await this.listen(server);
    return { addresses: titles.map((title) => `${address}/news/${slugOf(title)}`), release };
  }

  /**
   * Serves a page without a feed that links to the titles, and returns its address. A title that is
   * added later is linked from then on.
   */
  async list(titles: string[]) {
    const server = http.createServer(({ url = '' }, response) => {
      if (url === '/news') {
        const links = titles.map(
          (title) => `<h2><a href="/news/${slugOf(title)}">${title}</a></h2>`,
        );
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.end(
          `<!doctype html><title>Press</title><a href="/about/jobs">Jobs</a><a href="/about/team">Team</a>${links.join('')}<a href="/news/archive">Archive of all</a><a href="/news/archive-2">Archive of 2</a>`,
        );
      } else {
        sendPage(response, titles.find((each) => url.endsWith(slugOf(each))) ?? 'No page');
      }
    });
    return `${await this.listen(server)}/news`;
  }

  /**
   * Serves a news page that names a feed with the titles, and returns the page's address. A title
   * that is added later is in the feed from then on.
   */
  async news(titles: string[]) {
    const server = http.createServer(({ url = '' }, response) => {
      if (url === '/feed.xml') {
        const items = titles.map(
          (title) => `<item><title>${title}</title><link>/news/${slugOf(title)}</link></item>`,
        );
        response.setHeader('Content-Type', 'application/rss+xml');
        response.end(
          `<rss version="2.0"><channel><title>News</title>${items.join('')}</channel></rss>`,
        );
      } else if (url === '/news') {
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.end(
          '<!doctype html><title>News</title><link rel="alternate" type="application/rss+xml" href="/feed.xml"><p>All news.',
        );
      } else {
        sendPage(response, titles.find((each) => url.endsWith(slugOf(each))) ?? 'No page');
      }
    });
    return `${await this.listen(server)}/news`;
  }

  /** Serves a feed with a page for each title, and returns the feed's address. */
  async feed(titles: string[]) {
    const items = titles.map(
      (title) => `<item><title>${title}</title><link>/news/${slugOf(title)}</link></item>`,
    );
    const server = http.createServer(({ url = '' }, response) => {
      if (url === '/feed.xml') {
        response.setHeader('Content-Type', 'application/rss+xml');
        response.end(
          `<rss version="2.0"><channel><title>News</title>${items.join('')}</channel></rss>`,
        );
      } else {
        sendPage(response, titles.find((each) => url.endsWith(slugOf(each))) ?? 'No page');
      }
    });
    return `${await this.listen(server)}/feed.xml`;
  }

  /** Serves a folder of mails, and returns the server's port. */
  async mailbox(folder: Folder) {
    return new URL(await this.listen(mailServer(folder), 'imap')).port;
  }

  /** Serves a page that is sent only after open is called. */
  async pausedPage(title: string) {
    const { addresses, release } = await this.pausedPages([title]);
    return { address: addresses.join(), open: () => release(Infinity) };
  }

  /** Serves a page whose first request is answered with 404, and returns its address. */
  async repairedPage(title: string) {
    let requests = 0;
    const server = http.createServer((_, response) => {
      if (requests++ > 0) {
        sendPage(response, title);
      } else {
        response.writeHead(404).end('Not here yet');
      }
    });
    return `${await this.listen(server)}/news/${slugOf(title)}`;
  }

  /** Receives webhooks: the response is that of `answer`, which a test may replace. */
  async receiver() {
    const receiver = {
      address: '',
      answer: { status: 200, body: 'noted', headers: {} },
      received: [] as { id: unknown; body: Data }[],
    };
    const read = (name: string) => readFileSync(process.env[name] ?? '');
    const options = { cert: read('CONSOLE_RECEIVER_CERT'), key: read('CONSOLE_RECEIVER_KEY') };
    const receive = async (request: IncomingMessage, response: ServerResponse) => {
      receiver.received.push({ id: request.headers['webhook-id'], body: await json(request) });
      const { status, body, headers } = receiver.answer;
      response.writeHead(status, headers).end(body);
    };
    const server = https.createServer(options, (...call) => void receive(...call));
    receiver.address = `${await this.listen(server, 'https')}/hook`;
    return receiver;
  }
}
