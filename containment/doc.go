// Package containment owns where data ends and instructions begin. It has the one grammar of delimiters (Frame), the nonce in
// them (Nonce), the table of what imitates a delimiter or a speaker, hides text or gives orders to a model, and the two ways to
// make text safe to show: Neutralise for content between delimiters, OneLine for what must stay on its line.
//
// Its invariant, which a fuzz test holds: no text that went through Neutralise can close its frame or open another, whatever
// went in, and neutralising it once more changes nothing. It refuses nothing and knows no tool: whoever builds a prompt decides what is data.
// Report and Contain take texts of any length, and end with their context; the rest is for short ones.
//
// The table is not complete and cannot be. What gives orders in plain words is reported and stays where it is: it is data, and a
// reader may need to see it. The delimiters are what holds.
package containment
