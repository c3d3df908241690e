// Package llmtest is a text model for tests: a server of OpenAI's and Anthropic's protocols that
// answers from a script.
package llmtest
