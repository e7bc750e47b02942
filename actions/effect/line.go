package effect

import (
	"context"
	"strings"
)

// maxLine is the length of a line that is looked at as a command line, in bytes.
const maxLine = 500

// prompts stand before a command line where a text shows one.
const prompts = "$#>% "

// IsOrder reports whether a text is a command line of a known command that does more than to look, to build or to change a file of the workspace: as
// where a guide says to run it. It returns false once ctx has ended.
func IsOrder(ctx context.Context, text string) bool {
	line := strings.TrimLeft(text, prompts)
	words := strings.Fields(line[:min(len(line), maxLine)])
	if len(words) < 2 || len(line) > maxLine || !isLower(words[0]) {
		return false
	}
	if _, known := commandTable()[baseName(unwrapped(words)[0])]; !known {
		return false
	}
	effects, err := Of(ctx, Call{Tool: "shell", Parameters: map[string]any{"command": line}})
	return err == nil && effects[0].Class.Danger() >= 2 && effects[0].Class != Unknown
}

// isLower reports whether a word is written as commands are: a sentence begins with a capital.
func isLower(word string) bool { return word == strings.ToLower(word) }
