import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
import { type DocumentNode, print } from 'graphql';
import type { Client as Socket } from 'graphql-ws';
import { RostrumError } from './error.js';
import * as graph from './operations.js';
import { type Patience, send } from './retry.js';
import { follow, openSocket } from './stream.js';

export interface ClientOptions {
  /** The gateway's address, such as https://rostrum.example.com. */
  url: string;
  /** A key of the workspace. */
  key: string;
  /** How often a request is sent at most; 8 if absent, which take half a minute. */
  tries?: number;
  /** How many milliseconds one try may take; 5 minutes if absent, longer than a text model. */
  timeout?: number;
  /** Replaces the global fetch. */
  fetch?: typeof globalThis.fetch;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** Names a mutation, which runs once for it, also if another process sends it again. */
  idempotencyKey?: string;
}

/** A text, or a document of graphql-codegen or gql.tada, which has the types of its operation. */
export type Operation<Data, Variables> = DocumentTypeDecoration<Data, Variables> | string;

export type DocumentsOptions = Omit<graph.DocumentsQueryVariables, 'first' | 'after'> & {
  /** How many documents a request reads, up to 100; 50 if absent. */
  pageSize?: number;
  signal?: AbortSignal;
};

/** A client of one workspace. Close it to end its streams. */
export class RostrumClient {
  private readonly endpoint: string;
  private readonly fetch: typeof globalThis.fetch;
  private readonly patience: Patience;
  private readonly socket: Socket;

  constructor(private readonly options: ClientOptions) {
    this.endpoint = `${options.url.replace(/\/+$/, '')}/graphql`;
    this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.patience = { tries: options.tries ?? 8, timeout: options.timeout ?? 300_000 };
    this.socket = openSocket(this.endpoint, options.key);
  }

  /** Runs a query or mutation. It throws a RostrumError also if only a part of the data is missing. */
  request<Data, Variables extends object>(
    operation: Operation<Data, Variables>,
    variables: Variables,
    options: RequestOptions = {},
  ): Promise<Data> {
    const body = JSON.stringify({ query: textOf(operation), variables });
    return this.post(body, { 'Content-Type': 'application/json' }, options);
  }

  /**
   * Follows a subscription, and goes on after its last event when the connection was lost. Its
   * events need `cursor` or `position`, and the subscription a variable `after`, for none to be
   * missed.
   */
  subscribe<Data, Variables extends object>(
    operation: Operation<Data, Variables>,
    variables: Variables,
    signal?: AbortSignal,
  ): AsyncGenerator<Data, void, undefined> {
    return follow<Data>(this.socket, textOf(operation), variables, signal);
  }

  /** Yields the documents that match, page by page as they are needed. */
  async *documents({ pageSize = 50, signal, ...variables }: DocumentsOptions = {}) {
    let after: string | null | undefined;
    do {
      const { documents } = await this.request(
        graph.DocumentsDocument,
        { ...variables, first: pageSize, after },
        { ...(signal && { signal }) },
      );
      yield* documents.nodes;
      after = documents.pageInfo.hasNextPage ? documents.pageInfo.endCursor : null;
    } while (after);
  }

  /** Returns a document with its text, or null. */
  async document(id: string, options?: RequestOptions) {
    return (await this.request(graph.DocumentDocument, { id }, options)).document;
  }

  /** Returns the position of the newest event. Read it before a list that is to be kept up to date. */
  async eventCursor(options?: RequestOptions) {
    return (await this.request(graph.EventCursorDocument, {}, options)).eventCursor;
  }

  /** Makes a document of an address. `jobId` is the job to watch, null for a known document. */
  async ingest(input: graph.IngestDocumentInput, options?: RequestOptions) {
    return (await this.request(graph.IngestDocumentDocument, { input }, options)).ingestDocument;
  }

  /** Makes documents of files. Those that were refused have a `refusal`. */
  async upload(
    files: readonly File[],
    input: Omit<graph.CreateDocumentsInput, 'files'> = {},
    options: RequestOptions = {},
  ) {
    const form = new FormData();
    const variables = { input: { ...input, files: files.map(() => null) } };
    form.set(
      'operations',
      JSON.stringify({ query: textOf(graph.CreateDocumentsDocument), variables }),
    );
    const paths = files.map((_, i) => [String(i), [`variables.input.files.${i}`]]);
    form.set('map', JSON.stringify(Object.fromEntries(paths)));
    files.forEach((file, i) => form.set(String(i), file, file.name));
    const data = await this.post<graph.CreateDocumentsMutation>(form, {}, options);
    return data.createDocuments;
  }

  /**
   * Yields the state of a job, then each of its events once and in order until it ends. With
   * `after` it goes on after that position.
   */
  async *watchJob(jobId: string, options: { after?: number; signal?: AbortSignal } = {}) {
    let last = options.after ?? -1;
    const variables = { jobId, after: options.after };
    for await (const data of this.subscribe(graph.JobProgressDocument, variables, options.signal)) {
      const event = data.jobProgress;
      const isKnown = event.kind === 'SNAPSHOT' && event.position <= last; // again after a lost socket
      last = event.position;
      if (!isKnown) {
        yield event;
      }
      if (event.kind === 'END') {
        return;
      }
    }
  }

  /** Watches a job to its end and returns its last state. It throws if the job did not complete. */
  async awaitJob(jobId: string, signal?: AbortSignal) {
    let state: graph.JobProgressSubscription['jobProgress']['state'] | undefined;
    for await (const event of this.watchJob(jobId, { ...(signal && { signal }) })) {
      state = event.state;
    }
    if (state?.status === 'COMPLETED') {
      return state;
    }
    const reason = state?.errorMessage ?? state?.cancelReason ?? state?.status ?? 'it is unknown';
    throw new RostrumError(
      `the job ${jobId} has no result: ${reason}`,
      state?.errorCode ?? 'job',
      200,
    );
  }

  /**
   * Yields the changes of a list of documents. After STALE the list must be read again. Without
   * `after` it begins with the next change after the call of `next`.
   */
  async *documentChanges(
    options: { filter?: graph.DocumentFilter; after?: string; signal?: AbortSignal } = {},
  ) {
    const { filter, signal } = options;
    const after = options.after ?? (await this.eventCursor({ ...(signal && { signal }) }));
    for await (const data of this.subscribe(
      graph.DocumentChangesDocument,
      { filter, after },
      signal,
    )) {
      yield data.documentChanges;
    }
  }

  /** Creates a webhook whose deliveries are signed with `signingSecret`, which is shown once. */
  async createWebhook(input: Omit<graph.CreateWebhookInput, 'signing'>, options?: RequestOptions) {
    const signed = { input: { ...input, signing: true } };
    const { createWebhook } = await this.request(graph.CreateWebhookDocument, signed, options);
    return { ...createWebhook.webhook, signingSecret: createWebhook.webhook.signingSecret ?? '' };
  }

  /** Sends a sample of an event, and returns how the receiver answered. */
  async testWebhook(webhookId: string, event: graph.EventType, options?: RequestOptions) {
    const variables = { input: { webhookId, event } };
    return (await this.request(graph.TestWebhookDocument, variables, options)).testWebhook.attempt;
  }

  async deleteWebhook(webhookId: string, options?: RequestOptions): Promise<void> {
    await this.request(graph.DeleteWebhookDocument, { input: { webhookId } }, options);
  }

  /** Ends the streams. */
  close(): void {
    void this.socket.dispose();
  }

  private async post<Data>(
    body: string | FormData,
    headers: Record<string, string>,
    { signal, idempotencyKey = crypto.randomUUID() }: RequestOptions,
  ): Promise<Data> {
    const init: RequestInit = {
      method: 'POST',
      body,
      headers: {
        ...headers,
        Accept: 'application/graphql-response+json',
        'X-API-Key': this.options.key,
        'Idempotency-Key': idempotencyKey, // queries ignore it
      },
      ...(signal && { signal }),
    };
    const { data } = await send<Data>(this.fetch, this.endpoint, init, this.patience);
    if (!data) {
      throw new RostrumError('the answer has no data', 'bad_answer', 200);
    }
    return data;
  }
}

/** Returns the text of an operation, also of one that was parsed. */
function textOf(operation: Operation<unknown, never>): string {
  const isParsed = typeof operation === 'object' && 'kind' in operation;
  return isParsed ? print(operation as unknown as DocumentNode) : String(operation);
}
