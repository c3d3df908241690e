// Package server calls text models of servers that have OpenAI's or Anthropic's protocol, with
// retries, circuit breakers and further servers.
//
// Idea: Engine asks the servers of LLM_BASE_URL and LLM_FALLBACKS in order, each with retries and a
// circuit breaker for each model. Engine and Embedder record each request without its text: task,
// version of the prompt (the hash of its file), tokens, cost, latency and outcome.
//
// Limits: a failed call is retried twice; after five failures in a row a model is not called for 15
// s.
//
// To add a protocol: an implementation of protocol, its Protocol, and its server in
// test/kit/llmtest.
package server
