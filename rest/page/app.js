// Starts GraphiQL with the workspace key from the bar, which is sent in X-API-Key of each request, and in connection_init of the socket.
(() => {
  const slot = 'rostrum:key';
  const example = `# Write a query and press the button, or Ctrl-Enter. Enter the key in the bar above.
query FirstDocuments {
  documents(first: 5) {
    nodes {
      title
      wordCount
    }
  }
}
`;

  // The key may come as #key=…; it is removed from the address so that it is not copied with it.
  const fromAddress = new URLSearchParams(location.hash.slice(1)).get('key');
  if (fromAddress) {
    sessionStorage.setItem(slot, fromAddress);
    history.replaceState(null, '', location.pathname + location.search);
  }

  const field = document.getElementById('key');
  const state = document.getElementById('state');
  const root = ReactDOM.createRoot(document.getElementById('graphiql'));
  const endpoint = new URL('/graphql', location.href);
  const socket = new URL('/graphql', location.href);
  socket.protocol = socket.protocol === 'https:' ? 'wss:' : 'ws:';

  function show() {
    const key = sessionStorage.getItem(slot) || '';
    const identity = key ? { 'X-API-Key': key } : {};
    field.value = key;
    state.textContent = key ? 'Requests are made with this key.' : 'Requests need a key.';
    const fetcher = GraphiQL.createFetcher({
      url: endpoint.href,
      subscriptionUrl: socket.href,
      headers: identity,
      wsConnectionParams: identity,
    });
    root.render(React.createElement(GraphiQL, { fetcher, defaultQuery: example, inputValueDeprecation: true }));
  }

  document.getElementById('bar').addEventListener('submit', (event) => {
    event.preventDefault();
    sessionStorage.setItem(slot, field.value.trim());
    show();
  });
  show();
})();
