// Uses all of the client against the gateway that test/e2e starts, and prints what it got as lines of JSON.
import { RostrumClient, RostrumError } from 'rostrum-client';

const { ROSTRUM_URL: url, ROSTRUM_KEY: key, SOURCE, WORD } = process.env;
const client = new RostrumClient({ url, key });
const print = (step, values) => console.log(JSON.stringify({ step, ...values }));

const after = await client.eventCursor();
const idempotencyKey = `tour-${WORD}`;
const made = await client.ingest({ sourceUrl: SOURCE }, { idempotencyKey });
const again = await client.ingest({ sourceUrl: SOURCE }, { idempotencyKey });
print('ingest', { id: made.documentId, same: made.jobId === again.jobId });
for await (const { position, kind, state } of client.watchJob(made.jobId)) {
  print('event', { position, kind, status: state.status });
}
for await (const { documentId, kind } of client.documentChanges({ filter: { q: WORD }, after })) {
  if (documentId === made.documentId && kind !== 'REMOVED') {
    print('change', { id: documentId });
    break;
  }
}
const { files } = await client.upload([
  new File([`A note on ${WORD} by a colleague.`], 'note.txt'),
]);
const { status } = await client.awaitJob(files[0].jobId);
print('upload', { id: files[0].documentId, status });
for await (const { id } of client.documents({ filter: { q: WORD }, pageSize: 1 })) {
  print('document', { id, words: (await client.document(id)).content.includes(WORD) });
}
try {
  await client.ingest({ sourceUrl: '' });
} catch (error) {
  if (!(error instanceof RostrumError)) throw error;
  print('error', { code: error.code, pointer: error.fields[0]?.pointer });
}
try {
  await new RostrumClient({ url, key: 'rsk_wrong' }).watchJob(made.jobId).next();
} catch (error) {
  if (!(error instanceof RostrumError)) throw error;
  print('refusal', { code: error.code });
}
client.close();
