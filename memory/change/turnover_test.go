package change

import "testing"

// turnovers are pairs of statements of one person, the older first: of pay and prices, of jobs, of things that others take the place of, and of
// mistakes. They were written before the rules. "gone": the newer one takes the place of the older; "changed": surely or likely;
// "asked": that, or a person is asked; "kept": both hold, and nobody is asked.
var turnovers = []struct{ older, newer, want string }{
	// Pay and prices.
	{"I earn 3,200 a month.", "I got a raise to 3,500.", "changed"},
	{"My salary is 52,000 euros.", "They raised my salary to 56,000 euros.", "gone"},
	{"My rent is 850 a month.", "My rent went up to 920.", "gone"},
	{"The rent for the studio is 600 pounds.", "The landlord raised the rent for the studio to 650 pounds.", "gone"},
	{"I charge 70 euros an hour.", "I now charge 80 euros an hour.", "gone"},
	{"My sister earns 2,800 a month.", "My sister got a raise, she makes 3,000 now.", "changed"},
	{"Nursery costs 400 a month.", "Nursery went up to 450 a month.", "gone"},
	{"I get 40 euros of pocket money a month.", "My pocket money was increased to 50 euros.", "changed"},
	{"We pay 35 euros for the internet.", "The internet went down to 29 euros.", "changed"},
	{"I earn 3,200 a month.", "My brother got a raise to 3,500.", "kept"},
	{"My rent is 850 a month.", "Parking went up to 60.", "kept"},
	{"I earn 3,200 a month.", "I hope for a raise next year.", "kept"},
	{"I earn 3,200 a month.", "I asked my boss for a raise.", "kept"},
	{"I work at Siemens.", "I got a raise to 3,500.", "kept"},
	{"The rent for the garage is 90.", "The rent for the flat went up to 920.", "kept"},
	{"My rent is 850 a month.", "I got a raise to 3,500.", "kept"},
	{"I pay 35 euros for the internet.", "I got a raise of 35 euros.", "kept"},
	// Jobs.
	{"I work at St. Mary's as a nurse.", "I quit my job at St. Mary's.", "gone"},
	{"I work at St. Mary's as a nurse.", "I started as a paramedic at the fire brigade.", "asked"},
	{"I work as a bus driver in Ghent.", "I started a new job as a gardener.", "asked"},
	{"I work as a cook at Luigi's.", "I got a new job at the Riverside hotel.", "asked"},
	{"I'm employed at the town library.", "I was laid off from the town library.", "changed"},
	{"My husband works for Bosch.", "My husband handed in his notice at Bosch.", "changed"},
	{"My husband works for Bosch.", "My husband started at Airbus.", "asked"},
	{"I teach maths at Oakfield.", "I left Oakfield.", "changed"},
	{"Irina works at the tax office.", "Irina has a new job at the museum.", "asked"},
	{"I work at a bakery.", "I now work at a brewery.", "changed"},
	{"I work at St. Mary's as a nurse.", "My sister quit her job at St. Mary's.", "kept"},
	{"My daughter was born at St. Mary's.", "I quit my job at St. Mary's.", "kept"},
	{"I work at St. Mary's as a nurse.", "I started as a volunteer at the animal shelter, too.", "kept"},
	{"I'm allergic to latex.", "I started as a paramedic at the fire brigade.", "kept"},
	{"I work at a bakery.", "I started a sourdough last week.", "kept"},
	{"I work at a bakery.", "I'm thinking of a new job.", "kept"},
	{"I take the bus to work.", "I quit my job at St. Mary's.", "kept"},
	{"My husband works for Bosch.", "I started at Airbus.", "kept"},
	{"Irina works at the tax office.", "Irina's office got new chairs.", "kept"},
	{"I work as a nurse.", "I started at eight this morning.", "kept"},
	// Things that others take the place of.
	{"My phone number is 0171 2233445.", "I have a new phone number: 0160 9988776.", "gone"},
	{"My mobile number is 0171 2233445.", "My new number is 0160 9988776.", "changed"},
	{"I drive a Fiat Panda.", "I bought a new car, a Renault Zoe.", "asked"},
	{"I drive a Fiat Panda.", "I traded the Panda in for a Renault Zoe.", "gone"},
	{"We have an old Volvo.", "We replaced the Volvo with a Skoda.", "gone"},
	{"I take 50 mg of sertraline.", "My doctor increased the sertraline to 75 mg.", "gone"},
	{"I take 5 mg of ramipril in the morning.", "I take 10 mg of ramipril now.", "gone"},
	{"My mother takes two tablets of metformin a day.", "My mother's metformin was reduced to one tablet.", "changed"},
	{"I use an iPhone 12.", "I have a new phone, a Pixel 9.", "asked"},
	{"My email is kim@old.example.", "My new email is kim@new.example.", "gone"},
	{"Our dentist is Dr Weber.", "We have a new dentist, Dr Akin.", "changed"},
	{"My phone number is 0171 2233445.", "My sister has a new phone number: 0160 9988776.", "kept"},
	{"I drive a Fiat Panda.", "My neighbour bought a new car.", "kept"},
	{"I take 50 mg of sertraline.", "My doctor increased the ramipril to 10 mg.", "kept"},
	{"I take 50 mg of sertraline.", "I also take 10 mg of ramipril.", "kept"},
	{"I drive a Fiat Panda.", "I bought new tyres for the Panda.", "kept"},
	{"My phone number is 0171 2233445.", "The new number of the school is 0160 9988776.", "kept"},
	{"My mother takes two tablets of metformin a day.", "My mother has a new doctor.", "kept"},
	{"I use an iPhone 12.", "I bought a new case for the iPhone.", "kept"},
	{"Our dentist is Dr Weber.", "Our dentist has a new receptionist.", "kept"},
	{"I drive a Fiat Panda.", "I'm looking for a new car.", "kept"},
	{"The number of the taxi firm is 2233.", "My new number is 0160 9988776.", "kept"},
	// A statement that turned out wrong.
	{"I'm allergic to peanuts.", "I'm not allergic to peanuts after all, it was a wrong diagnosis.", "gone"},
	{"My son has asthma.", "My son doesn't have asthma after all.", "gone"},
	{"I have coeliac disease.", "It turned out that I don't have coeliac disease.", "gone"},
	{"Marta is pregnant.", "Marta isn't pregnant after all, the test was wrong.", "gone"},
	{"I'm lactose intolerant.", "Actually I'm not lactose intolerant.", "gone"},
	{"The flat has a cellar.", "The flat has no cellar after all.", "changed"},
	{"My aunt lives in Graz.", "I was wrong, my aunt doesn't live in Graz.", "gone"},
	{"I'm allergic to penicillin.", "The doctor says I'm not allergic to penicillin after all.", "changed"},
	{"I'm allergic to peanuts.", "I'm not allergic to almonds after all.", "kept"},
	{"I'm allergic to peanuts.", "My brother isn't allergic to peanuts after all.", "kept"},
	{"My son has asthma.", "My daughter doesn't have asthma after all.", "kept"},
	{"I'm allergic to peanuts.", "We are having lunch at one after all.", "kept"},
	{"The flat has a cellar.", "The flat has no lift.", "kept"},
	{"I'm allergic to peanuts.", "Maybe I'm not allergic to peanuts.", "kept"},
	{"I'm lactose intolerant.", "I'm not lactose intolerant enough to skip cheese.", "kept"},
	{"Marta is pregnant.", "Marta isn't at home.", "kept"},
}

// TestTurnovers: a raise, a new job, a new number or dose, and a mistake take the place of the earlier statement, and nothing else does.
func TestTurnovers(t *testing.T) {
	for _, tt := range turnovers {
		older, newer := said(tt.older, 0), said(tt.newer, 30)
		v := Compare(older, newer, nil)
		got := "kept"
		switch {
		case v.Sure():
			got = "gone"
		case v.Likely():
			got = "changed"
		case Competes(older, newer, nil):
			got = "asked"
		}
		if degree[got] < degree[tt.want] || tt.want == "kept" && got != "kept" {
			t.Errorf("%q, then %q: %s (%.2f), want %s; matters %v %v", tt.older, tt.newer, got, v.Probability, tt.want, older.matters, newer.matters)
		}
	}
}

// degree orders the fates of an older statement.
var degree = map[string]int{"kept": 0, "asked": 1, "changed": 2, "gone": 3}
