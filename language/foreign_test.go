package language

import (
	"slices"
	"strings"
	"testing"
)

// TestForeign: the language of a text is told by its stop words, and English is never taken for another.
func TestForeign(t *testing.T) {
	for text, want := range map[string]string{
		"Wo wohne ich?": "German", "Welche Wohnungen haben wir uns angesehen?": "German", "Mein Zahnarzt heißt Dr. Brandt.": "German",
		"¿Dónde vivo?": "Spanish", "Mi hermana trabaja en una panadería de Sevilla.": "Spanish", "¿Cuándo es la reunión con los clientes?": "Spanish",
		"Où est-ce que j'habite ?": "French", "Ma sœur travaille dans une boulangerie.": "French", "Quelles sont les règles pour les commits ?": "French",
		"Where do I live?": "", "We met in Los Angeles, at the café Le Grand": "", "my address": "", "Wohnung": "", "": "",
		"a hat made of fur": "", "The man in the die casting hall was hot": "", "She lives in El Paso, near Las Cruces": "", "The word 'nicht' means 'not' in German": "",
		"la casa": "", "私は東京に住んでいます": "",
	} {
		got := ""
		if f := foreignOf(segment(text)); f != nil {
			got = f.name
		}
		if got != want {
			t.Errorf("%q is told to be %q, want %q", text, got, want)
		}
	}
}

// TestForeignForms: a question finds a statement in another form of its words, and shares no more than the words that carry
// meaning.
func TestForeignForms(t *testing.T) {
	for _, c := range []struct{ question, statement, shared string }{
		{"Welche Wohnung haben wir uns angesehen?", "Wir haben drei Wohnungen besichtigt.", "wohnung"},
		{"Wie heißen meine Ärzte?", "Frau Kaya ist mein Arzt.", "arzt"},
		{"In welcher Straße ist das Büro?", "Das Büro ist in der Gartenstrasse, nicht in der langen Strasse.", "buro strass"},
		{"¿Qué idiomas hablan mis hermanas?", "Mi hermana también habla tres idiomas.", "habl herman hermana idiom idioma"},
		{"¿Cuáles son las reuniones de hoy?", "La reunión con el cliente es a las nueve.", "reunion"},
		{"Quelles sont les adresses de mes parents ?", "L'adresse de mes parents est rue Verte.", "adress parent"},
		{"Qui a mangé les pommes ?", "Ma sœur mange une pomme dans la cuisine.", "mang pomm"},
		{"Wohnung", "Wir haben drei Wohnungen besichtigt.", "wohnung"},
	} {
		var shared []string
		held := Terms(c.statement)
		for _, term := range Query(c.question) {
			if slices.Contains(held, term) {
				shared = append(shared, term)
			}
		}
		slices.Sort(shared)
		if got := strings.Join(shared, " "); got != c.shared {
			t.Errorf("%q and %q share %q, want %q", c.question, c.statement, got, c.shared)
		}
	}
}

// TestStemsAreAdded: without its stems, a text has the terms that its words have by themselves, so that a text indexed before
// there were stems is found as before.
func TestStemsAreAdded(t *testing.T) {
	for _, text := range []string{"Wir haben drei Wohnungen in der Straße angesehen", "L'adresse de mes parents est rue Verte", "plain English texts have none"} {
		var alone []string
		for _, w := range segment(text) {
			alone = w.appendTerms(alone, true)
		}
		rest := Terms(text)
		for _, want := range alone {
			i := slices.Index(rest, want)
			if i < 0 {
				t.Fatalf("Terms(%q) lacks %q, or has it out of order", text, want)
			}
			rest = rest[i+1:]
		}
		if foreignOf(segment(text)) == nil && len(alone) != len(Terms(text)) {
			t.Errorf("Terms(%q) adds to %q", text, alone)
		}
	}
}

// TestForeignStops: the stop words of a question go in its own language, and stay where nothing else is asked.
func TestForeignStops(t *testing.T) {
	for text, want := range map[string]string{
		"Wann ist die Besprechung mit dem Team?": "besprechung besprech team",
		"¿Dónde está la llave del garaje?":       "llave llav garaj",
		"Où sont les clés du garage ?":           "cles cle garag",
		"Wer sind wir?":                          "wer sind wir",
	} {
		if got := strings.Join(Query(text), " "); got != want {
			t.Errorf("Query(%q) = %q, want %q", text, got, want)
		}
	}
}

func BenchmarkTermsEnglish(b *testing.B) {
	for b.Loop() {
		Terms("We moved to a flat on Mill Lane in spring, and the children go to the school nearby.")
	}
}

func BenchmarkTermsGerman(b *testing.B) {
	for b.Loop() {
		Terms("Wir sind im Frühling in eine Wohnung in der Mühlenstraße gezogen, und die Kinder gehen in die Schule nebenan.")
	}
}
