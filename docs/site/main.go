package main

import (
	"context"
	"flag"

	"github.com/ctx-mcp/ctx-mcp/eval/program"
)

func main() {
	root := flag.String("root", ".", "folder of the repository")
	out := flag.String("out", "out/site", "folder to write the site to; it is made anew")
	program.Main("site", func(context.Context) error {
		s, err := read(*root)
		if err != nil {
			return err
		}
		return s.write(*out)
	})
}
