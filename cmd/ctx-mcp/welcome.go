package main

import (
	"bufio"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/connect"
)

// welcome says to somebody who typed the name of the program alone where they are, and the one next step.
func welcome(sys *system, c *config.Config) error {
	k := &connecting{sys: sys, config: c, scope: string(connect.User)}
	place, err := placeHere(sys)
	if err != nil {
		return err
	}
	server, err := k.server()
	if err != nil {
		return err
	}
	var joined, free []string
	for _, s := range place.States(server) {
		switch {
		case s.Target != "" && !slices.Contains(joined, s.Client.Title):
			joined = append(joined, s.Client.Title)
		case s.Target == "" && s.Err == nil:
			free = append(free, s.Client.Title)
		}
	}
	fmt.Fprint(sys.out, "ctx-mcp gives your AI assistant a memory, and decides what its model gets to see.\n\n")
	switch {
	case len(joined) > 0:
		fmt.Fprintf(sys.out, "It is connected to %s. What is remembered:\n\n  ctx-mcp memory brief\n", strings.Join(joined, ", "))
	case len(free) > 0:
		fmt.Fprintf(sys.out, "Found here: %s. Connect, after a look at the change:\n\n  ctx-mcp connect\n", strings.Join(free, ", "))
	default:
		_, err = fmt.Fprint(sys.out, "No client is found here. See what it does:\n\n  ctx-mcp demo\n\nAlso: ctx-mcp ui, ctx-mcp doctor; every command: ctx-mcp --help\n")
		return err
	}
	_, err = fmt.Fprint(sys.out, "\nAlso: ctx-mcp demo, ctx-mcp ui, ctx-mcp doctor; every command: ctx-mcp --help\n")
	return err
}

// askWhich lists the clients, asks which of those that are not connected to connect, and connects them one by one.
func (k *connecting) askWhich(place connect.Place, server connect.Server) error {
	if err := k.printStates(place, server); err != nil {
		return err
	}
	var free []connect.Client
	for _, s := range place.States(server) {
		if s.Target == "" && s.Err == nil && s.Scope == connect.User {
			free = append(free, s.Client)
		}
	}
	if len(free) == 0 {
		return nil
	}
	for i, c := range free {
		fmt.Fprintf(k.sys.out, "  %d  %s\n", i+1, c.Title)
	}
	fmt.Fprint(k.sys.out, "connect which? numbers, all, or nothing for none: ")
	answer, err := bufio.NewReader(k.sys.in).ReadString('\n')
	if err != nil && answer == "" {
		return nil // nobody answers
	}
	chosen, err := choice(answer, free)
	if err != nil {
		return err
	}
	for _, c := range chosen {
		if err := k.one(place, server, c); err != nil {
			return err
		}
	}
	return nil
}

// choice returns those that an answer names: by their numbers from 1, separated by blanks or commas, or all.
func choice(answer string, free []connect.Client) (chosen []connect.Client, err error) {
	if strings.TrimSpace(answer) == "all" {
		return free, nil
	}
	for _, word := range strings.FieldsFunc(answer, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\r' }) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > len(free) {
			return nil, usage("%q is none of the numbers: nothing was connected", word)
		}
		chosen = append(chosen, free[n-1])
	}
	return chosen, nil
}
