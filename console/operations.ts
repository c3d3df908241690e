import { formatDocument, stringifyDocument } from '@urql/core';
import { type DocumentNode, Kind } from 'graphql';

const modules = import.meta.glob<Record<string, DocumentNode>>('./src/graph/**/graphql.ts', {
  eager: true,
});

const documents = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter(({ definitions }) => definitions?.some(({ kind }) => kind === Kind.OPERATION_DEFINITION));

/** The texts of all operations, as the clients with and without a cache send them. */
export const operations = [
  ...new Set(
    documents.flatMap((document) => [
      stringifyDocument(document),
      stringifyDocument(formatDocument(document)),
    ]),
  ),
];
