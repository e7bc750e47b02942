// Package chat asks a model for prose about a text, through any endpoint that speaks the OpenAI chat API.
//
// It owns the question and the bounds of the answer: one attempt, a time, a size. It keeps secrets out of its errors: none holds
// the key, the text or the answer of the endpoint. Its invariant: an answer is text of the model alone, or an error. The caller
// has to check it, because a model may invent.
package chat
