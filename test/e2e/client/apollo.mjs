// Runs the screens with Apollo Client: over the network into its normalized cache, and again from the cache alone.
import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { headers, report, screens, url } from './screens.mjs';
import possibleTypes from './possible.mjs';

const client = new ApolloClient({
  cache: new InMemoryCache({ possibleTypes: await possibleTypes() }),
  link: new HttpLink({ uri: url, headers }),
});
for (const screen of screens) {
  const request = { query: gql(screen.text), variables: screen.variables };
  const { error } = await client.query({ ...request, fetchPolicy: 'network-only' });
  if (error) throw error;
  const cached = await client.query({ ...request, fetchPolicy: 'cache-only' });
  report(screen, cached.data);
}
client.stop();
