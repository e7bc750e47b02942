package program

import (
	"context"
	"flag"
	"log"
	"os"
	"os/signal"
)

// Main reads the flags, which are declared before, and calls do. The context ends at an interrupt; a second one ends the process at
// once. An error of do is logged behind the name of the program, and the exit code is 1.
func Main(name string, do func(context.Context) error) {
	log.SetFlags(0)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)
	if err := do(ctx); err != nil {
		log.Fatalf("%s: %v", name, err)
	}
}
