// Starts Swagger UI on the server's OpenAPI document. Each operation is ready to be sent, with the body of its example.
(() => {
  const slot = 'rostrum:key'; // the playground's too

  // The key may come as #key=…; it is removed from the address so that it is not copied with it.
  const fromAddress = new URLSearchParams(location.hash.slice(1)).get('key');
  if (fromAddress) {
    sessionStorage.setItem(slot, fromAddress);
    history.replaceState(null, '', location.pathname + location.search);
  }

  const docs = SwaggerUIBundle({
    url: '/openapi/openapi.json',
    dom_id: '#docs',
    deepLinking: true,
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    onComplete: () => {
      const key = sessionStorage.getItem(slot);
      if (key) docs.preauthorizeApiKey('ApiKeyAuth', key);
    },
  });
})();
