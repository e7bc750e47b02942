// Package chat asks a model for prose about a text, through any endpoint that speaks the OpenAI chat API.
//
// It owns the question and the bounds of the answer: one attempt, a time, a size. It refuses to repeat what it was trusted with:
// no error holds the key, the text or what the endpoint said. Its invariant: an answer is text of the model alone, or an error;
// whoever uses it has to check it, because a model may invent.
package chat
