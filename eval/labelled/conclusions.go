package labelled

import (
	"fmt"
	"os"
	"path/filepath"
)

// heldBack is the step between the files with conclusions that are held back: every third, by their names.
const heldBack = 3

// ConclusionFiles returns the files of a folder that label the conclusions of conversations, in order: those that programs are
// developed and fitted with, or those that are held back to judge them.
func ConclusionFiles(dir string, blind bool) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.conclusions.json"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("there are no conclusions in %s: %w", dir, os.ErrNotExist)
	}
	var chosen []string
	for i, path := range paths {
		if ((i+1)%heldBack == 0) == blind {
			chosen = append(chosen, path)
		}
	}
	return chosen, nil
}
