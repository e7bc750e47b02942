package tools

import (
	"fmt"
	"strings"
	"testing"
)

// TestNotEatenIsSaid: where somebody is to eat, the context has each person's diet, in whatever words; elsewhere it has none.
func TestNotEatenIsSaid(t *testing.T) {
	s := services(t)
	ids := 0
	s.Memory.NewID = func() string { ids++; return fmt.Sprintf("00000000-0000-4000-8000-%012d", ids) }
	told := []string{
		"My wife Hanna is lactose intolerant.", "Leo is allergic to hazelnuts.", "Mia can't stand mushrooms.", "I don't eat meat but fish is fine.",
		"The car is a blue Megane.", "Parents' evening is on November 26 at 6 pm.", "I prefer tea to coffee.",
	}
	for _, content := range told {
		if text, _, err := s.Call(t.Context(), "remember", map[string]any{"content": content, "level": "user", "source": map[string]any{"kind": "user_statement"}}); err != nil {
			t.Fatal(text, err)
		}
	}
	for request, want := range map[string]bool{
		"Suggest a dinner for the four of us tonight.":      true,
		"Find a restaurant for Saturday for the family.":    true,
		"Write a recipe card for the soup that we had.":     true,
		"Where is the nearest garage for the front tyres?":  false,
		"Rename the column colour to color in the reports.": false,
	} {
		_, out, err := s.Call(t.Context(), "compile_context", map[string]any{"user_message": request, "max_tokens": 3000})
		if err != nil {
			t.Fatal(err)
		}
		prompt := promptOf(t, out)
		for _, limit := range told[:4] {
			if strings.Contains(prompt, strings.TrimSuffix(limit, ".")) != want {
				t.Errorf("%q: %q is there: %v, want %v", request, limit, !want, want)
			}
		}
	}
}
