package main

import (
	"io"
	"os"
)

// stdin is the name that stands for the standard input.
const stdin = "-"

// openInput opens a file, or the standard input. It returns a usage error for a file that cannot be read.
func openInput(sys *system, name string) (io.ReadCloser, error) {
	if name == stdin {
		if sys.inRead {
			return nil, usage("standard input can stand for one file only: name the others")
		}
		sys.inRead = true
		return io.NopCloser(sys.in), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, mistakenFile(err)
	}
	return f, nil
}

// readInput reads a file, or the standard input, to its end.
func readInput(sys *system, name string) ([]byte, error) {
	f, err := openInput(sys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
