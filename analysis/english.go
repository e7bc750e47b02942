package analysis

import "strings"

// stop holds the English words that carry no subject of their own: articles, pronouns, prepositions, auxiliaries and
// question words. They are indexed, and left out of questions.
var stop = set(`a about above after again against all also am an and any are aren as at be because been before being
	below between both but by can cannot cant could couldnt d did didnt do does doesnt doing don dont down during each
	ever few for from further had hadnt has hasnt have havent having he her here hers herself hes him himself his how
	i if ill im in into is isnt it its itself ive just let ll m may me might more most much must my myself no nor not
	now of off on once only or other our ours ourselves out over own please re s same shall she should so some such t
	tell than that thats the their theirs them themselves then there these they theyre this those through to too under
	until up upon us ve very was wasnt we were what whats when where whether which while who whom whose why will with
	wont would wouldnt you your youre yours yourself yourselves`)

// irregular maps a form that a suffix stemmer cannot reach to its base form. Only inflections stand here, no synonyms.
var irregular = groups(`
	begin began begun; bite bit bitten; break broke broken; bring brought; build built; buy bought; catch caught;
	choose chose chosen; come came; deal dealt; do did done; draw drew drawn; drink drank drunk; drive drove driven;
	eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; fly flew flown; forget forgot
	forgotten; freeze froze frozen; get got gotten; give gave given; go goes went gone; grow grew grown; have has had; hear
	heard; hide hid hidden; hold held; keep kept; know knew known; lead led; learn learnt; leave left; lend lent; lose
	lost; make made; mean meant; meet met; pay paid; ride rode ridden; rise rose risen; run ran; say said; see saw
	seen; seek sought; sell sold; send sent; shake shook shaken; shoot shot; show shown; sing sang sung; sit sat; sleep
	slept; speak spoke spoken; spend spent; stand stood; steal stole stolen; stick stuck; swim swam swum; take took
	taken; teach taught; tell told; think thought; throw threw thrown; understand understood; wake woke woken; wear
	wore worn; win won; write wrote written;
	child children; person people persons; man men; woman women; foot feet; tooth teeth; mouse mice; goose geese;
	wife wives; knife knives; half halves; shelf shelves; wolf wolves; index indices;
	vertex vertices; matrix matrices; datum data; criterion criteria; analysis analyses`)

// twins maps a word to another of the same meaning that is used as often in everyday speech. The list is short on purpose:
// a twin that is wrong in some sense of the word costs more than one that is missing.
var twins = groups(`
	mother mom mum mommy mama; father dad daddy papa; grandmother grandma granny; grandfather grandpa; child kid kids;
	photo photograph photos photographs picture pictures pic pics; movie film movies films; bike bicycle bikes bicycles;
	fridge refrigerator; phone telephone cellphone smartphone phones; doctor dr doctors; vacation holiday vacations
	holidays; dog puppy dogs puppies pup; cat kitten cats kittens kitty; begin start starts started starting; car automobile
	cars automobiles; tv television; ad advertisement ads advertisements; exam examination exams examinations; config
	configuration configs configurations; repo repository repos repositories; db database databases; doc document docs
	documents; app application apps applications; auth authentication`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

func groups(text string) map[string]string {
	m := map[string]string{}
	for group := range strings.SplitSeq(text, ";") {
		forms := strings.Fields(group)
		for i, form := range forms {
			if _, taken := m[form]; i > 0 && !taken {
				m[form] = forms[0]
			}
		}
	}
	return m
}
