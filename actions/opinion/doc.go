// Package opinion asks a model whether the user wants an action that the rules would put to a person.
//
// It owns the question, the conditions under which it is put, and the reading of the answer. The model may allow the action or leave it to
// the person: it refuses nothing, and an allowed action makes no value known. It is not asked about an action with an effect of danger 4, one
// that moves money or sends a credential, one that a text which speaks to a model has a part in, nor one that it could not be shown whole.
// It sees the words of the user, the call in normal form, on whose word each value stands, and the sentences that are evidence, all quoted
// as JSON: never the result that they are from. Its invariant: whatever fails, the action waits for a person.
package opinion
