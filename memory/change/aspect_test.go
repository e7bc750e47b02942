package change

import "testing"

// TestAspects: a change takes away what it is about, and leaves the rest of a person or a thing as it is. The pairs were written before the rules.
func TestAspects(t *testing.T) {
	for _, tt := range []struct{ older, newer, want string }{
		// Of one person, and of something else.
		{"Paul is allergic to nuts.", "Paul moved to Rome.", "kept"},
		{"My mother has diabetes.", "My mother moved to a care home.", "kept"},
		{"My brother Paul is a pilot.", "My brother moved to Rome.", "kept"},
		{"My brother is vegetarian.", "My brother moved to Rome.", "kept"},
		{"Sarah is pregnant.", "Sarah moved to Bath.", "kept"},
		{"Our landlord has a key to the flat.", "Our landlord moved to Leeds.", "kept"},
		{"Paul is allergic to nuts.", "Paul changed his phone number.", "kept"},
		{"My wife is allergic to cats.", "My wife now works from home.", "kept"},
		{"My daughter plays the violin.", "My daughter switched schools.", "kept"},
		{"Nora is left-handed.", "Nora got a new job.", "kept"},
		{"My uncle speaks Polish.", "My uncle sold his car.", "kept"},
		{"My son is in year four.", "My son stopped playing football.", "kept"},
		{"My daughter Ines has coeliac disease.", "Ines goes to the Linden school.", "kept"},
		{"My son Theo is afraid of dogs.", "Theo goes to the nursery in Mill Lane.", "kept"},
		{"My wife Rosa has a heart condition.", "Rosa took over the bakery.", "kept"},
		// Of one thing.
		{"The server db1 runs PostgreSQL 15.", "The server db1 moved to Frankfurt.", "kept"},
		{"The server db1 is backed up nightly.", "The server db1 moved to Frankfurt.", "kept"},
		{"The library has free internet.", "The library moved to Oak Road.", "kept"},
		{"The standup lasts 15 minutes.", "The standup moved to Tuesday.", "kept"},
		{"The printer prints in colour.", "The printer was moved to the basement.", "kept"},
		// The very aspect.
		{"Paul lives in Oslo.", "Paul moved to Rome.", "gone"},
		{"My brother lives in Oslo.", "My brother moved to Rome.", "gone"},
		{"The server db1 runs in Dublin.", "The server db1 moved to Frankfurt.", "gone"},
		{"The library is in Mill Street.", "The library moved to Oak Road.", "gone"},
		{"The standup is on Mondays.", "The standup moved to Tuesdays.", "gone"},
		{"I'm allergic to peanuts.", "I'm not allergic to peanuts, it was a wrong diagnosis.", "gone"},
		{"I eat mushrooms.", "I don't eat mushrooms.", "gone"},
		{"My sister isn't married.", "My sister is married.", "gone"},
		// More than what changed, or not yet.
		{"My sister Anna lives in Porto.", "My sister moved to Lisbon.", "doubted"},
		{"I have a bike and a car.", "I sold the bike.", "doubted"},
		{"Our dog Rex is 3.", "Our dog died.", "doubted"},
		{"I live at 5 Elm Street, Bristol.", "I'm moving to 9 Oak Road on 1 March.", "kept"},
		{"We go to Crete every summer.", "We'll go to Norway this summer instead of Crete.", "kept"},
		{"Paul drinks coffee.", "Paul doesn't drink coffee after four.", "not gone"},
	} {
		v := Compare(Read(Statement{Text: tt.older}), Read(Statement{Text: tt.newer}), nil)
		got := "kept"
		switch {
		case v.Sure():
			got = "gone"
		case v.Likely():
			got = "doubted"
		}
		if got != tt.want && !(tt.want == "not gone" && got != "gone") && !(tt.want == "doubted" && got == "kept") {
			t.Errorf("%q, then %q: %s (%.2f), want %s", tt.older, tt.newer, got, v.Probability, tt.want)
		}
	}
}
