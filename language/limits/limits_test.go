package limits

import "testing"

// TestAsked: a question for what somebody cannot eat, take or bear is told from others, also from those with the same words.
func TestAsked(t *testing.T) {
	for _, tt := range []struct {
		question string
		named    bool
		want     Limit
	}{
		{"Do I have health problems?", false, Limit{1, Health}},
		{"Which illnesses run in the family?", false, Limit{1, Health}},
		{"What should the soup not contain?", false, Limit{1, Eating}},
		{"Which cheese can’t Otto eat?", true, Limit{1, Eating}},
		{"Which painkiller must I never be given?", false, Limit{1, Treating}},
		{"What should the chef know?", false, Limit{0.8, Eating}},
		{"What do I have to tell the paramedics?", false, Limit{0.8, Treating}},
		{"Is shrimp safe for Otto?", true, Limit{0.8, Eating}},
		{"What can't Otto have?", true, Limit{0.6, Eating | Bearing}},
		{"Is there anything that harms Otto?", true, Limit{0.6, Bearing}},
		{"What shouldn't I lift?", false, Limit{0.6, Bearing}},
		{"Is there something to consider when Otto comes?", true, Limit{0.5, Health}},
		{"May I give Otto cheese?", true, Limit{0.6, Eating}},
		{"What should I cook tonight?", false, Limit{0.5, Eating}},
		{"Can I make a cream sauce for everyone?", false, Limit{0.5, Eating}},
		{"Should I order the cheesecake?", false, Limit{0.6, Eating}},
		{"Satay for dinner?", false, Limit{0.5, Eating}},
		{"Find a restaurant for Saturday.", false, Limit{0.5, Eating}},
		// none
		{"What did we cook for the party?", false, Limit{}},
		{"Can I order a new laptop?", false, Limit{}},
		{"", false, Limit{}},
		{"Which day must I never book?", false, Limit{}},
		{"Who is my health insurance with?", false, Limit{}},
		{"What rating did the health inspectors give?", false, Limit{}},
		{"What should I keep in mind before I deploy?", false, Limit{}},
		{"Things one must never do in operations", false, Limit{}},
		{"Where can't I eat?", false, Limit{}},
		{"What does Otto like to eat?", true, Limit{}},
		{"What must not be in the repository?", false, Limit{}},
		{"Which restaurant did we book?", false, Limit{}},
		{"By when must I order flour?", false, Limit{}},
		{"At what time should we serve the soup?", false, Limit{}},
		{"Who do we get our milk from?", false, Limit{}},
	} {
		if got := Asked(tt.question, tt.named); got != tt.want {
			t.Errorf("Asked(%q) = %v, want %v", tt.question, got, tt.want)
		}
	}
}

// TestTold: a statement of such a limit is told from one of another rule, and from one about food.
func TestTold(t *testing.T) {
	for _, tt := range []struct {
		statement string
		want      Limit
	}{
		{"Otto has epilepsy.", Limit{1, Health}},
		{"I wear a pacemaker.", Limit{1, Health}},
		{"Otto keeps kosher.", Limit{1, Eating}},
		{"Shrimp makes Otto’s lips swell.", Limit{1, Health}},
		{"Otto eats no beef.", Limit{1, Eating}},
		{"I take ramipril.", Limit{1, Treating}},
		{"Otto refuses transfusions.", Limit{1, Treating}},
		{"Wool gives me a rash.", Limit{1, Health}},
		{"Otto can't swallow solids.", Limit{0.8, Eating}},
		// none
		{"Never book anything on a Wednesday.", Limit{}},
		{"Do not schedule meetings over lunch.", Limit{}},
		{"No boots in the clubhouse.", Limit{}},
		{"Otto makes the best curry.", Limit{}},
		{"The caterer needs the numbers a week before.", Limit{}},
		{"Don't park in front of number 12.", Limit{}},
		{"Never deploy on a Friday.", Limit{}},
		{"Otto's sponsor is a bakery.", Limit{}},
	} {
		if got := Told(tt.statement); got != tt.want {
			t.Errorf("Told(%q) = %v, want %v", tt.statement, got, tt.want)
		}
	}
}

// TestOf: a limit of another kind than asked for is worth half.
func TestOf(t *testing.T) {
	for _, tt := range []struct {
		asked, told Limit
		want        float64
	}{
		{Limit{1, Eating}, Limit{1, Health}, 1},
		{Limit{1, Eating}, Limit{1, Treating}, 0.5},
		{Limit{0.5, Health}, Limit{1, Bearing}, 0.5},
		{Limit{1, Health}, Limit{}, 0},
	} {
		if got := tt.asked.Of(tt.told); got != tt.want {
			t.Errorf("%v.Of(%v) = %v, want %v", tt.asked, tt.told, got, tt.want)
		}
	}
}

// TestNotEaten: names of foods tell of somebody's diet, also those that have another meaning first.
func TestNotEaten(t *testing.T) {
	for statement, want := range map[string]bool{
		"Mia can't stand mushrooms.": true, "Leo is allergic to sesame.": true, "We don't eat fish.": true, "Hanna is lactose intolerant.": true,
		"I can't stand crossfades.": false, "Mia likes mushrooms.": false, "We avoid meetings before ten.": false,
		"We decided not to sell online because shipping bread is too expensive.": false,
		"We don't sell cheesecake on Mondays.":                                   false, "Ana and Bo don't eat fish.": true, "No eggs for Bo and no milk either.": true,
		"We don't stock nuts, since Isla is allergic to them.": true,
	} {
		if got := NotEaten(statement); got != want {
			t.Errorf("NotEaten(%q) = %v, want %v", statement, got, want)
		}
	}
}

// TestServing: a request has somebody eat by a word of a meal.
func TestServing(t *testing.T) {
	for request, want := range map[string]bool{
		"Suggest a dinner for four.": true, "Find a restaurant for Saturday.": true, "What does the config contain?": false, "Rename the menu item.": false,
	} {
		if got := Serving(request); got != want {
			t.Errorf("Serving(%q) = %v, want %v", request, got, want)
		}
	}
}
