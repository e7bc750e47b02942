package taint

import "unicode"

// englishWords are the commonest words of English that other languages do not share.
var englishWords = plainSet("the and of to is for with this that you your are from will have please it not be by we they if")

// otherLanguages are the commonest words of other languages that English does not have.
var otherLanguages = plainSet("der das und ist nicht ein eine sie mit auf für bitte den dem zu von alle wir ihr " +
	"le les et est une pour vous avec dans veuillez que des du cette votre nous " +
	"el los las por para con del una usted su este esta todos como y favor " +
	"il gli che di per non della questo prego tutti alla nel " +
	"os em um uma com não ao da na todos esta este você seu " +
	"het een van niet en naar voor alstublieft deze dat " +
	"nie się na do jest proszę wszystkie i w z że")

// scripts are those in which no word of the tables here is written.
var scripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Cyrillic, unicode.Greek, unicode.Arabic, unicode.Hebrew,
	unicode.Devanagari, unicode.Thai, unicode.Bengali, unicode.Tamil, unicode.Telugu, unicode.Georgian, unicode.Armenian,
}

// scriptLetters is how many letters of another script make a text one that cannot be read: a name has fewer.
const scriptLetters = 6

// unreadable reports whether a text is in a language of which the verbs are not known here, so that it may tell anything: it is in
// another script, or has common words of other languages and none of English.
func unreadable(text string, tokens []token) bool {
	letters := 0
	for _, r := range text {
		if r > unicode.MaxLatin1 && unicode.In(r, scripts...) {
			letters++
		}
	}
	if letters >= scriptLetters {
		return true
	}
	other := 0
	for _, t := range tokens {
		switch {
		case t.inName:
		case englishWords[t.word]:
			return false
		case otherLanguages[t.word]:
			other++
		}
	}
	return other >= 2
}

// unbroken reports whether words of the script stand beside each other without a break, so that one ends where it does.
func unbroken(r rune) bool {
	return r > unicode.MaxLatin1 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}
