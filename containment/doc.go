// Package containment owns the border between data and instructions. It has the one grammar of delimiters (Frame), the nonce
// in them (Nonce), the table of the forms that imitate a delimiter or a speaker, hide text or give orders to a model, and the
// two ways to make text safe to show: Neutralise for content between delimiters, OneLine for text that must stay on its line.
//
// Its invariant, which a fuzz test holds: no text that went through Neutralise can close its frame or open another, and neutralising it
// once more changes nothing. It refuses nothing and knows no tool: the builder of a prompt decides what is data. Report and Contain take
// texts of any length, and end with their context; the rest is for short ones.
//
// The table is not complete and cannot be. A text that gives orders in plain words is reported and stays where it is: it is
// data, and a reader may need to see it. The protection is in the delimiters.
package containment
