// Runs the operation with @defer with Apollo Client, in both formats.
import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental';
import { headers, print, text, url, variables } from './defer.mjs';

for (const Handler of [Defer20220824Handler, GraphQL17Alpha9Handler]) {
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: new HttpLink({ uri: url, headers }),
    incrementalHandler: new Handler(),
  });
  await new Promise((resolve, reject) => {
    client.watchQuery({ query: gql(text), variables, errorPolicy: 'none' }).subscribe({
      next: ({ data, dataState, error, loading }) => {
        if (error) return reject(error);
        if (data) print(Handler.name, data);
        if (!loading && dataState === 'complete') resolve();
      },
      error: reject,
    });
  });
  client.stop();
}
