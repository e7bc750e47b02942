package policy

// dangers are the dangers of the classes of effects, for examples that name a class alone. Package effect owns them, and a test of package
// actions holds these against it.
var dangers = map[string]int{
	"read": 0, "local_write": 0, "build": 0, "network_read": 1, "input": 1, "unknown": 2, "change": 2, "install": 2, "message": 2,
	"network_write": 3, "money": 3, "access": 3, "destroy": 3, "infra": 3, "run_fetched": 4, "persist": 4, "security": 4,
}

// Danger returns the danger of a class of effects, 0 for a word that is none.
func Danger(class string) int { return dangers[class] }
