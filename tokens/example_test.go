package tokens_test

import (
	"fmt"

	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// A model is counted by its own encoding where that is public, and by an estimate with a bound where it is not.
func ExampleFor() {
	exact := tokens.For("gpt-4o").Counter
	fmt.Println(exact.Name(), exact.Count("Deploys are on Thursdays."), exact.Bound("Deploys are on Thursdays."))
	estimate := tokens.For("claude-sonnet-4-5").Counter
	fmt.Println(estimate.Bound("Deploys are on Thursdays.") > estimate.Count("Deploys are on Thursdays."))
	// Output:
	// o200k_base 6 6
	// true
}

// Fit returns how much of a text fits, in bytes.
func ExampleFit() {
	text := "one two three four five"
	fmt.Println(text[:tokens.Fit(tokens.O200k(), text, 3)])
	// Output:
	// one two three
}
