package redact

// A detector finds one family of secrets. It is led to the places worth its look by the literals of the family or by
// digits. It reads a bounded text around a place, and goes on behind that, so that a text made of
// nothing but false starts costs no more than its length.
type detector struct {
	Doc     string
	Anchors []string                         // letters of ASCII are found in either case, characters beyond it by their first byte
	at      func(t *scan, i, k int) (on int) // looks at anchor k, which stands at i; returns where to go on
	number  func(t *scan, i, n int) (on int) // looks at n digits, two or more, from i; returns where to go on
	Lengths []int                            // how many digits number wants; empty: any number
	behind  *class                           // of bytes of which one stands before the digits; nil: any may
	finish  func(t *scan)                    // runs when the whole text has been read
	Kinds   []kind
}

// A kind is one label that a detector gives, with the samples that every change is tested against.
type kind struct {
	Label    string   // words are stored in placeholders: append only, never rename
	Doc      string   // the kind of secret, in words
	Unmarked bool     // guessable by enumeration: the placeholder never carries a fingerprint
	Yes      []string // texts in which the secret stands between « and »
	No       []string // texts that come back unchanged
}

// detectors are all families. If two find the same bytes, the earlier one names them.
var detectors = []detector{
	escapes,
	vendorTokens,
	jwts,
	privateKeys,
	puttyKeys,
	webKeys,
	urlPasswords,
	authorizations,
	cookies,
	kubernetesSecrets,
	cryptHashes,
	routerSecrets,
	namedValues,
	spokenPasswords,
	seedPhrases,
	passwordLines,
	commandLines,
	connections,
	backupCodes,
	shortCodes,
	loginPairs,
	cards,
	ssns,
	ibans,
	emails,
	phones,
}

// kinds are the detectors' kinds by label. init fills it, because detectors also read it to know a placeholder.
var kinds = make(map[string]kind)

func init() {
	for _, d := range families(nil, nil) {
		for _, k := range d.Kinds {
			kinds[k.Label] = k
		}
	}
}

// Label names one kind of secret and describes it.
type Label struct {
	Name    string
	Doc     string
	Samples []string // texts in which the secret stands between « and »
}

// Labels lists every kind of secret that Text looks for, in the order of the detectors.
func Labels() []Label {
	var list []Label
	for _, d := range families(nil, nil) {
		for _, k := range d.Kinds {
			list = append(list, Label{Name: k.Label, Doc: k.Doc, Samples: k.Yes})
		}
	}
	return list
}
