package taint

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// sentenceTokens returns the words of each sentence of a text.
func sentenceTokens(text string) [][]token {
	var all [][]token
	for _, s := range sentencesOf(text, 0, len(text)) {
		all = append(all, tokensOf(text[s.start:s.end]))
	}
	return all
}

func requestedIn(sentences [][]token) effectSet {
	var effects effectSet
	for _, tokens := range sentences {
		effects |= requested(tokens)
	}
	return effects
}

// request holds the effects that one statement of the user asked for, and how many results were there when it was made.
type request struct {
	effects effectSet
	results int
}

// delegation matches a statement that tells the agent to do what a text says that is yet to be read.
var delegation = language.NewPattern(`(?i)\b%s\b[^.!?]{0,60}\b%s\b|\b(do|complete|finish|perform|execute|handle|fulfil|carry out) (them|these|those|it all|all of (it|them)|everything)\b`+
	`|\btake (on |over |the |this |next )*(ticket|case|incident|request)\b|\b(run|do|try|follow) (the|that|this) (command|hint|suggestion|advice|fix)\b|\b(sort|work|figure) (it|this|that|them) out\b|\b(handle|process|resolve|solve|tackle|take care of|deal with) (it|this|that)\b`+
	`|\bas (the|its|his|her|their|my|this|that) [\w.'-]+ (says?|said|asks?|asked|describes?|tells?|told|specifies|instructs?)\b`,
	language.Delegation.Row("doing"), language.Delegation.Row("matter"))

// placed is the pattern of the place of a text: an address, a file, a number, a code.
const placed = `(?:https?://\S+|www\.\S+|[\w/-]+\.(?:md|txt|pdf|docx?|rst|eml|html?)\b|#\d+|(?-i:\b[A-Z]{2,}-\d+\b))`

// manner matches a statement that has a deed done the way that somebody else or a text says it, or like one before.
var manner = language.NewPattern(`(?i)\b(?:as|like|the way|in the way|just how) (?:%[1]s (?:[\w.'"“”/:#-]+ ){0,6}|[\w-]+ ["“#][^"”.!?]{1,40}["”]? |(?-i:\p{Lu}[\w'-]+) )(?:does it|%[2]s)\b`+
	`|\b(?:as|like|the way) (?:in|on|under) (?:%[1]s )?(?:[\w'-]+ ){0,4}(?:%[3]s|%[5]s)\b|\b(?:as|the way|like) (?:[\w/.-]+\.\w{2,4}|[\w-]+-\d+)(?: [\w'-]+){0,5} %[2]s\b|\b(?:work|working|step|stepping) (?:through|down|off) %[1]s (?:[\w-]+ ){0,3}(?:%[3]s|%[5]s)\b`+
	`|\b(?:to|with|by|for) what (?:(?:they|he|she) |%[1]s (?:[\w'-]+ ){1,3})%[2]s\b`+
	`|\b(?:as per|per|according to|in line with|following) (?:[\w/.-]+\.(?:md|txt|pdf|docx?|rst|html?)|(?-i:[A-Z][\w-]*-\d+))\b`+
	`|\b%[6]s (?:(?:the|our|my|this|all of) )?(?:[\w-]+ )?(?:#\d+|(?-i:[A-Z]{2,}-\d+))`+
	`|\b(?:according to|in accordance with|as per|in line with|going by|by) %[1]s (?:[\w-]+ ){0,3}%[3]s\b`+
	`|\b(?:please |and |just |then |so )(?:do|try) (?:exactly |just )?(?:the same|likewise)\b`+
	`|\b(?:as|like|the way) (?:[\w'-]+ ){0,3}`+placed+` (?:[\w'-]+ ){0,5}%[2]s\b`+
	`|\b%[4]s\b[^.!?]{0,60}\b(?:apply|do|follow|use|try|carry out|go through|run) (?:it|them|that|those|these|the same)\b`,
	language.Delegation.Row("owners"), language.Delegation.Row("sayings"), language.Delegation.Row("standards"), language.Delegation.Row("remedies"), language.Delegation.Row("guides"), language.Delegation.Row("doing"))

// guided matches a statement that names the text by which the work is to be done: where the runbook is, by which policy, as described. It tells the agent
// to work a record, too.
var guided = language.NewPattern(`(?i)\b(?:the|our|its|their|my|this) (?:[\w-]+ ){0,3}%[1]s (?:is|are|stands?|lives?|can be found|in|at|under|says?|allows?|permits?|requires?|demands?|prescribes?|provides?)\b`+
	`|\b(?:following|follow|per|by|using|according to|in line with|based on|apply|applying|adhere to|adhering to|stick to|sticking to|within|obeying|observing) (?:(?:the|our|its|their|my|this|that) )?(?:[\w-]+ ){0,3}%[1]s\b`+
	`|\b(?:as|like|how) (?:it is |it's |they are |is |are )?(?:described|documented|explained|laid out|set out|outlined|specified)\b|\bas (?:the|its|their|our) [\w.'-]+ (?:describes?|explains?|documents?|shows?|wants?|requires?|needs?|requests?)\b`+
	`|\b(?:everything|all|whatever|what) (?:[\w'-]+ ){0,4}(?:needs?|needed|necessary|required|do|know) (?:[\w'-]+ ){0,2}(?:is|are|stands?|lives?|found|written|described) (?:in|at|on|under)\b`+
	`|\bwork (?:on |through |down |off )?(?:(?:the|this|that|all|my|our|each|every|open|new|next) (?:[\w-]+ ){0,2})?%[2]s\b`,
	language.Delegation.Row("guides"), language.Delegation.Row("record"))

// isGuided reports whether a statement names the text by which the work is to be done, and does not only ask for its content.
func isGuided(text string) bool {
	return slices.ContainsFunc(guided.FindAllStringIndex(text, 16), func(at []int) bool {
		before := strings.Fields(text[strings.LastIndexAny(text[:at[0]], ".!?;,:\n")+1 : at[0]])
		return !slices.ContainsFunc(before[max(0, len(before)-near):], func(w string) bool { return asking.MatchString(w) })
	})
}

// asking matches a word behind which a question, or an order to look, has its object.
var asking = language.NewPattern(`(?i)^(?:what|whether|if|which|where|who|how|does|do|did|is|are|can|could)$`)

// answering matches a statement that tells the agent to answer a record that asks for something.
var answering = language.NewPattern(`(?i)\b%s\b[^.!?]{0,40}\b%s\b`, language.Delegation.Row("answering"), language.Delegation.Row("record"))

// handing matches a statement that tells the agent to do what a place says, a page, a text or a ticket, or to set something to a value that stands there.
var handing = language.NewPattern(`(?i)\b(?:%[1]s|following)\b[^.!?\n]{0,40}`+placed+
	`|\b%[2]s\b[^.!?\n]{0,60}\b(?:to|with|using) (?:(?:[\w'-]+ ){1,3})?%[3]s (?:from|in|on|of|that) (?:[\w'-]+ ){0,4}(?:%[4]s\b|\(?`+placed+`)`,
	language.Delegation.Row("doing"), language.Delegation.Row("setting"), language.Delegation.Row("values"), language.Delegation.Row("guides"))

// Hear takes in a statement of the user, with the entities that the caller declares with it, and whether a harness says that the user made it.
func (p *Provenance) Hear(text string, attested bool, entities ...string) {
	p.memo = &memo{}
	p.entities = append(p.entities, entities...)
	p.heard.take(text, len(p.sources))
	if attested {
		p.attested.take(text, len(p.sources))
	}
	p.doubtful = p.doubtful || !attested
}

// names matches what is somebody's or something's own in a statement: a word with a capital inside a sentence, a quotation, a code.
var names = language.NewPattern(`(?:[a-z,;:)\d]\s+)(\p{Lu}[\p{L}-]{2,})|'([^']{3,40})'|"([^"]{3,40})"|“([^”]{3,40})”|((?:[\p{L}\d]+[-_./#@])*[\p{L}]*\d[\w./-]+|[\w-]+(?:[./@][\w-]+)+)`)

// noteNames keeps the names of a statement, and its values that are no plain words.
func (p *heard) noteNames(text string) {
	for _, m := range names.FindAllStringSubmatch(text, 200) {
		for _, name := range m[1:] {
			if plain := plainValue(name); len(plain) > 2 {
				p.userNames[plain] = true
			}
		}
	}
}

// Delegates reports whether the user told the agent to do what a text says that is yet to be read.
func (p *Provenance) Delegates() bool { return p.delegated }

// HandsOn reports whether the user told the agent to do what a text says, by whatever name: the text itself may be its own.
func (p *Provenance) HandsOn() bool { return p.handedOn }

// stated reports whether the user said the value.
func (p *Provenance) stated(plain string) bool {
	return remember(&p.looked().stated, plain, func() bool {
		return slices.ContainsFunc(p.statements, func(s string) bool { _, ok := holds(s, plain); return ok })
	})
}
