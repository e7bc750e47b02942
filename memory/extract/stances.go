package extract

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// stanceForm is one way in which English states that something stands.
type stanceForm struct {
	Name       string
	Doc        string
	Aspect     Aspect
	Predicate  string
	Against    bool
	Confidence float64
	near       []string          // as of an act's form
	pattern    *language.Pattern // groups: s the subject, Speaker where there is none; p the predicate where the form gives none; v the value
	unless     *language.Pattern
	Yes        []string // text, then the claim: "I live in Rome => I | lives_in | Rome"
	No         []string
}

// Acquired is the form of a purchase or an adoption: a thing done, which also says that there is something now.
const Acquired = "acquired"

// stanceForms are held against single clauses; the first that fits is the stance.
var stanceForms = []stanceForm{
	{
		Name: "event", Doc: "an appointment of the speaker", Aspect: Event, Predicate: "has_event", Confidence: 0.7,
		pattern: words(`(?:i|we)(?:'ve| have|'m| am|'re| are|'ll)?(?: (?:got|also|already|actually|just|really|looking forward to|excited (?:about|for)|going to|attending|having|be|scheduled|booked))* (?P<v>(?:a|an|the|my|our|attending|going to) .+? (?:on|at|scheduled|coming up|booked|for|this|next|tomorrow|in) ?.*(?:\d|day|tomorrow|tonight|week|month|january|february|march|april|may|june|july|august|september|october|november|december).*)`),
		unless:  language.NewPattern(`(?i)\b(?:spent|walked|bought|ago|last|yesterday|used|paid|per (?:day|week|month)|every|each)\b|^(?:i|we)(?:'ve| have)? (?:been|had)\b`),
		Yes:     []string{"I have a dentist appointment on June 3rd => I | has_event | a dentist appointment on June 3rd"},
		No:      []string{"I had a dentist appointment last week", "I have a cat"},
	},
	{
		Name: "needs", Doc: "something the speaker is to do", Aspect: Task, Predicate: "needs_to", Confidence: 0.8,
		pattern: words(`(?:i|we)(?:'ve| have|'m| am|'re| are)?{adv} (?:need|have|want|got|ought|must|plan|intend|supposed|planning|going)(?: to| on)? (?P<v>.+)`),
		unless:  language.NewPattern(`(?i)\b(?:to|gotta) (?:go(?:$| now| soon| for now)|leave|run|head|get going|step away|get back|cut|say|admit|agree|be honest|know|ask|hear|thank|sign off|wrap)\b|^(?:i|we)(?:'ve| have)(?: \w+)? (?:a|an|no|any|some|the|my|been|had)\b|\bneed (?:a|an|some|any|help|your|more)\b|^(?:i|we) (?:have|want|got|plan) (?:a|an|the|some|no|any|my|your|it|that|more|two|three|\d)\b|\b(?:remove|delete|update|change)\b.*\b(?:information|details)\b`),
		Yes:     []string{"I need to renew my passport this week => I | needs_to | renew my passport", "Also, I have to call the bank => I | needs_to | call the bank"},
		No:      []string{"I need to go now", "I have a cat", "I might need to renew my passport", "I don't need to renew my passport"},
	},
	{
		Name: "remind", Doc: "something the speaker asks to be reminded of", Aspect: Task, Predicate: "needs_to", Confidence: 0.8,
		near:    []string{"remind", "forget"},
		pattern: words(`(?:please )?(?:remind (?:me|us) (?:to|about)|don't let (?:me|us) forget(?: to| about)?|don't forget to) (?P<v>.+)`),
		Yes:     []string{"Remind me to water the plants => I | needs_to | water the plants"},
		No:      []string{"That reminds me to smile"},
	},
	{
		Name: "put_on_list", Doc: "an entry for a list of the speaker", Aspect: Task, Predicate: "needs_to", Confidence: 0.8,
		near:    []string{"add", "put"},
		pattern: words(`{ask}(?:add|put) (?P<v>.+?) (?:to|on) (?:my|our|the|your) (?:.* )?(?:list|to-?dos?|tasks|calendar|agenda)`),
		Yes:     []string{`Please add "buy milk" to my shopping list => I | needs_to | buy milk`},
		No:      []string{"Add salt to the soup"},
	},
	{
		Name: "prefers", Doc: "what the speaker prefers", Aspect: Liking, Predicate: "likes", Confidence: 0.8,
		pattern: words(`(?:.{1,40}, )?(?:i|we)(?:'ve| have|'m| am|'d|'re| are)?(?:{adv}| very| always| been| come to| started| started to| much more| so| more| super| pretty| grown to| getting| gotten| found myself| find myself| gravitating| a lot of| the idea of| tend to| especially)* (?:like|love|enjoy|adore|prefer|enjoying|liking|loving|liked|loved|enjoyed|into|drawn to|fond of|a (?:big |huge )?fan of|keen on|obsessed with|gravitate towards?|gravitating(?: more)? towards?|fascinated (?:by|with)|digging) (?P<v>.+)`),
		unless:  language.NewPattern(`(?i)\b(?:not|n't|never|no longer|used to|would|'d (?:like|love|prefer))\b|\b(?:like|love|prefer) (?:to (?:add|remove|update|delete|know|hear|see|share)|a (?:minute|moment))\b|^i(?:'d)? (?:like|love) (?:how|that|it|them|this|your)\b`),
		Yes:     []string{"I really love Baroque music => I | likes | Baroque music", "Lately, I've been getting into pottery => I | likes | pottery"},
		No:      []string{"I don't like Baroque music", "I'd like to remove it", "I might like Baroque music", "Do I like Baroque music?"},
	},
	{
		Name: "dislikes", Doc: "what the speaker does not like", Aspect: Liking, Predicate: "dislikes", Against: true, Confidence: 0.8,
		pattern: words(`(?:.{1,40}, )?(?:i|we)(?:'ve| have|'m| am|'re| are)?(?:{adv}| always| tend to| come to| grown to| very| much)* (?:dislike|disliked|hate|hated|can't stand|detest|avoid|(?:don't|do not|never|not)(?: really| particularly| much)? (?:like|enjoy|care for|into|a (?:big |huge )?fan of)) (?P<v>.+)`),
		unless:  language.NewPattern(`(?i)\b(?:anymore|any more|any longer|used to|these days|hate to)\b`),
		Yes:     []string{"I really dislike cilantro => I | dislikes | cilantro", "I don't like long meetings => I | dislikes | long meetings"},
		No:      []string{"I don't like long meetings anymore", "I used to hate cilantro"},
	},
	{
		Name: "lives_in", Doc: "where someone lives", Aspect: State, Predicate: "lives_in", Confidence: 0.9,
		near:    []string{"liv", "moved", "relocated"},
		pattern: words(`(?P<s>we|{someone}){doing} (?:live|lives|living|moved|relocated)(?: now| currently)? (?:in|to) (?P<v>(?-i:[A-Z])[\w'.-]+(?:,? (?-i:[A-Z])[\w'.-]+){0,3})`),
		unless:  language.NewPattern(`(?i)^(?:you|they|he|she|who|it|that|this|people|meeting|everyone)\b|\b(?:to|in) (?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:to|in) (?:january|february|march|april|may|june|july|august|september|october|november|december)\b`),
		Yes: []string{"I live in Rome => I | lives_in | Rome", "Ann moved to San Francisco => Ann | lives_in | San Francisco",
			"Ann has just moved to Rome => Ann | lives_in | Rome", "I've moved to Rome => I | lives_in | Rome", "My sister lives in Rome => My sister | lives_in | Rome"},
		No: []string{"I don't live in Rome", "I used to live in Rome", "We moved it to Friday", "The meeting moved to Friday", "The exam moved to June", "I live in fear",
			"Ann had moved to Rome", "Ann never moved to Rome", "Feature flags live in Redis"},
	},
	{
		Name: "works_at", Doc: "where someone works", Aspect: State, Predicate: "works_at", Confidence: 0.9,
		near:    []string{"work"},
		pattern: words(`(?P<s>{someone}){doing} (?:work|works|working) (?:at|for) (?P<v>(?-i:[A-Z])[\w'.&-]+(?: (?-i:[A-Z])[\w'.&-]+){0,3})`),
		unless:  language.NewPattern(`(?i)^(?:you|they|he|she|who|it|that|this|what)\b`),
		Yes:     []string{"I work at Acme => I | works_at | Acme", "Ann is now working for Northwind Traders => Ann | works_at | Northwind Traders"},
		No:      []string{"I used to work at Acme", "It works for Ann", "I work at night", "Ann never works for Acme"},
	},
	{
		Name: "due", Doc: "when something is due", Aspect: Event, Predicate: "due_on", Confidence: 0.9,
		near:    []string{"due"},
		pattern: words(`(?P<s>(?:the|my|our) .{2,60}?|[a-z][\w.'-]+) (?:is|are)(?: now)? due(?: on| by)? (?P<v>.{3,40})`),
		unless:  language.NewPattern(`(?i)\bdue to\b|\bnot\b`),
		Yes:     []string{"The report is due on Friday => The report | due_on | Friday"},
		No:      []string{"The delay is due to rain", "The report is not due on Friday", "Is the report due on Friday?"},
	},
	{
		Name: "costs", Doc: "what something costs", Aspect: State, Predicate: "costs", Confidence: 0.9,
		near:    []string{"cost"},
		pattern: words(`(?P<s>(?:the|my|our|an?) .{2,60}?|[a-z][\w.'-]+)(?: now)? costs?(?: now)? (?P<v>(?:about |around )?[$€£]?\d[\d.,]*.{0,30})`),
		unless:  language.NewPattern(`(?i)\bnot\b|n't\b`),
		Yes:     []string{"The licence costs $40 a month => The licence | costs | $40 a month"},
		No:      []string{"The licence does not cost $40", "It would cost $40"},
	},
	{
		Name: "uses", Doc: "what someone uses", Aspect: State, Predicate: "uses", Confidence: 0.7,
		near:    []string{"use"},
		pattern: words(`(?P<s>i|we|the [a-z]+(?: [a-z]+)?|(?-i:[A-Z])[\w.-]+) (?:now |currently )?(?:use|uses) (?P<v>.{2,60})`),
		unless:  language.NewPattern(`(?i)\bnot\b|\bto use\b|^(?:what|how|which|who)\b`),
		Yes:     []string{"We use Postgres => I | uses | Postgres", "The team uses Linear for tickets => The team | uses | Linear for tickets"},
		No:      []string{"I used Postgres once", "We don't use Postgres"},
	},
	{
		Name: "owns", Doc: "what the speaker has", Aspect: State, Predicate: "has", Confidence: 0.6,
		near:    []string{"have", "own", "drive", "rent", "subscribe", "keep", "'ve got"},
		pattern: words(`(?:i|we)(?:'ve got|{adv} (?:have|own|drive|rent|subscribe to|keep)) (?P<v>(?:an?|the|my|our|two|three|\d+) .{2,60})`),
		unless:  language.NewPattern(`(?i)\b(?:to|question|idea|lot|feeling|few|moment|time|bit|problem|chance|good|great)\b`),
		Yes:     []string{"I have a red Vespa => I | has | a red Vespa"},
		No:      []string{"I have a question about Vespas", "I had a red Vespa", "I have to sell the Vespa"},
	},
	{
		Name: Acquired, Doc: "what the speaker came to have", Aspect: State, Predicate: "has", Confidence: 0.5,
		near:    []string{"bought", "got", "purchased", "adopted"},
		pattern: words(`{we} (?:bought|got|purchased|adopted) (?:myself |ourselves )?(?P<v>(?:an?|the) .{2,40}?)(?: (?:from|in|on|at|for|with|last|this|because|yesterday|today|two|a) .*)?`),
		unless:  language.NewPattern(`(?i)\b(?:call|message|chance|feeling|idea|question|good|great|bit|lot|coffee|tea|lunch|dinner|drink|ticket|round)\b`),
		Yes:     []string{"I bought a bicycle last week => I | has | a bicycle", "We adopted a grey cat from the shelter => I | has | a grey cat"},
		No:      []string{"I got a call from Ann", "I bought it", "I will buy a bicycle"},
	},
	{
		Name: "scheduled", Doc: "when something of the speaker's is", Aspect: Event, Predicate: "has_event", Confidence: 0.5,
		near:    []string{"is", "are", "takes place"},
		pattern: words(`(?P<v>(?:the|our|my) .{2,40}?) (?:is|are|takes place|is scheduled|is set) (?:on|for|at) (?:{weekday}|{month}|the \d|\d).*`),
		Yes:     []string{"The standup is on Thursday at 9 => I | has_event | The standup", "Our review is scheduled for May 3 => I | has_event | Our review"},
		No:      []string{"The book is on the table", "The standup was on Thursday", "Is the standup on Thursday?"},
	},
	{
		Name: "favourite", Doc: "the speaker's favourite of a kind", Aspect: Liking, Confidence: 0.9,
		near:    []string{"favo"},
		pattern: words(`my (?P<p>favou?rite [a-z]+(?: [a-z]+)?) (?:is|are)(?: now| still| probably)? (?P<v>.{2,60})`),
		unless:  language.NewPattern(`(?i)\bnot\b`),
		Yes:     []string{"My favourite editor is Helix => I | favourite editor | Helix"},
		No:      []string{"My favourite editor is not Helix", "What is my favourite editor?"},
	},
}

// stance holds the forms against the clause, in their order.
func (c clause) stance() (Stance, bool) {
	if hedge.MatchString(c.text) {
		return Stance{}, false
	}
	lower := strings.ToLower(c.text)
	for i := range stanceForms {
		f := &stanceForms[i]
		if !occurs(lower, f.near) {
			continue
		}
		m := f.pattern.Regexp().FindStringSubmatch(c.text)
		if m == nil || f.unless != nil && f.unless.MatchString(c.text) {
			continue
		}
		s := Stance{Form: f.Name, Aspect: f.Aspect, Subject: Speaker, Predicate: f.Predicate, Against: f.Against, Confidence: f.Confidence}
		for i, name := range f.pattern.Regexp().SubexpNames() {
			part, _ := c.unmask(m[i])
			switch name {
			case "s":
				s.Subject = part
			case "p":
				s.Predicate = part
			case "v":
				s.Value = trimTail(part)
			}
		}
		if firstPerson.MatchString(s.Subject) {
			s.Subject = Speaker
		}
		if says(s.Value) && !vague.MatchString(s.Value) {
			return s, true
		}
	}
	return Stance{}, false
}

// vague matches a value that names nothing.
var vague = language.NewPattern(`(?i)^%s\b`, language.Clauses.Row("vague"))

var firstPerson = language.NewPattern(`(?i)^(?:i|we)$`)

// stances returns the stances that an act states from now on.
func (a Act) stances() []Stance {
	if a.Kind != Replaces || a.Aspect != Liking {
		return nil
	}
	if a.Against {
		return []Stance{{Form: a.Form, Aspect: Liking, Subject: Speaker, Predicate: "likes", Value: a.Target, Confidence: 0.7}}
	}
	return []Stance{{Form: a.Form, Aspect: Liking, Subject: Speaker, Predicate: "likes", Value: a.Value, Confidence: 0.7}}
}
