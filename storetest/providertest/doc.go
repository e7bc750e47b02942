// Package providertest says whether the providers of models would take a list of messages, by the rules of their references: chat completions of
// OpenAI, and the Messages API of Anthropic. It is written apart from the code that makes messages, so that a fault in one is no fault in both.
package providertest
