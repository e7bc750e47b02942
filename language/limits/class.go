package limits

import (
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
)

// classOf is a class of words that a text may have.
type classOf struct {
	words     *language.Pattern // of the row of the table; nil: none
	unless    *language.Pattern // of words that no text of the class has; nil: none
	kinds     *lexicon.General  // general words: those below them in the lexicon count too
	butKinds  *lexicon.General  // unless they are below one of these too
	relations []string          // relations that a statement is surely about
	named     bool              // a name counts
}

type class = *classOf

func (c class) in(t *text) bool {
	switch {
	case c.unless != nil && c.unless.MatchString(t.lower):
		return false
	case c.named && t.named, c.words != nil && c.words.MatchString(t.lower):
		return true
	case len(c.relations) > 0 && t.surely(c.relations):
		return true
	default:
		return c.kinds != nil && t.isA(c.kinds, c.butKinds)
	}
}

// The classes.
var (
	about      = class(&classOf{words: language.NewPattern(`\b(?:%s\b|%s\b.{0,40}\b%s\b)`, language.Limits.Row("about"), language.Limits.Row("duty"), language.Limits.Row("telling"))})
	activity   = class(&classOf{words: row("activity")})
	another    = class(&classOf{named: true})
	anything   = class(&classOf{words: row("unspecific")})
	cause      = class(&classOf{words: row("cause")})
	denying    = class(&classOf{words: row("denying")})
	diet       = class(&classOf{words: row("diet"), relations: []string{"allergy", "diet"}})
	eaten      = class(&classOf{words: row("eaten")})
	eating     = class(&classOf{words: row("eating")})
	fare       = class(&classOf{words: row("consuming"), kinds: dishes})
	food       = class(&classOf{words: row("consuming"), kinds: foods})
	foodstuff  = class(&classOf{kinds: foods, butKinds: lexicon.NewGeneral("meal")})
	harm       = class(&classOf{words: row("harm")})
	health     = class(&classOf{words: healthForm})
	illness    = class(&classOf{words: row("condition"), relations: []string{"illness"}, kinds: lexicon.NewGeneral("disease illness disorder unwellness syndrome")})
	light      = class(&classOf{words: row("light")})
	medicine   = class(&classOf{relations: []string{"medicine"}, kinds: medicines})
	permission = class(&classOf{words: language.NewPattern(`^\W*(?:can|could|may|should|would|shall|is|are)\b`)})
	person     = class(&classOf{words: row("person"), named: true})
	planning   = class(&classOf{words: row("planning"), unless: language.NewPattern(`\b%s\b|^\W*%s\b`, language.Limits.Row("past"), language.Limits.Row("whom"))})
	reaction   = class(&classOf{words: row("reaction")})
	refusing   = class(&classOf{words: row("refusing")})
	treatment  = class(&classOf{words: row("treating"), kinds: medicines})
)

var (
	foods     = lexicon.NewGeneral("food nutriment nourishment meal meat beverage vegetable seafood fruit drinkable alcohol foodstuff")
	medicines = lexicon.NewGeneral("medicament medication analgesic painkiller antibiotic")
	// dishes are words for food beyond those by which a limit is recognised: a question with one brings limits, a statement with one tells none.
	dishes = lexicon.NewGeneral("food nutriment nourishment meal meat beverage vegetable seafood fruit drinkable alcohol foodstuff cake pastry pasta bread sauce dessert cheese pie pudding salad soup candy milk cream")
	// healthForm matches an illness, and health where it is not the name of something else: "health insurance".
	healthForm = language.NewPattern(`\b(?:%s\b|%s(?:\W*$|\W+(?:%s|%s)\b))`,
		language.Limits.Row("health"), language.Limits.Row("health_of"), language.Limits.Row("health_matter"), language.StopWords)
	// serving matches a word of a meal, and of those who make one.
	serving = language.NewPattern(`(?i)\b%s\b`, language.Limits.Row("serving"))
	// circumstance matches a question for a time, a place, a reason or a number: no limit answers it.
	circumstance = language.NewPattern(`^\W*(?:%s\W+)?%s\b`, language.Limits.Row("before_when"), language.Limits.Row("when"))
	// trading matches a word of trade: goods that a shop does not sell may be eaten.
	trading = row("trading")
	// parting matches a word behind which a reason stands, that refuses nothing itself.
	parting = row("parting")
)

func row(name string) *language.Pattern {
	return language.NewPattern(`\b%s\b`, language.Limits.Row(name))
}
