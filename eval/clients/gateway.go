package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// behindGateway are held to a home in which the client's server stands behind the gateway.
var behindGateway = []promise{
	{"gateway: its own tools and those of the server work", always, worksBehind},
	{"gateway: a secret in a server's result reaches no request of the model", always, hidesBehind},
	{"gateway: the mail that a result tells to send is not sent", always, standsBehind},
}

// withBoth are held to a home in which the client has hooks, and its server stands behind the gateway.
var withBoth = []promise{
	{"hooks and gateway: each call is judged once, in one conversation", always, judgesOnce},
}

// judgesOnce holds that a command of the client and a call through the gateway are two decisions of one session.
func judgesOnce(ctx context.Context, h *home) error {
	before, err := h.receipts(ctx)
	if err != nil {
		return err
	}
	if _, err := h.talk(ctx, "What do the notes of the project and of the office say?", h.client.shell("cat notes.txt"), step{Tool: "read_notes", Args: object{}}); err != nil {
		return err
	}
	all, err := h.receipts(ctx)
	if err != nil {
		return err
	}
	made := slices.DeleteFunc(all[len(before):], func(r receipt) bool { return r.Kind != "decision" })
	if len(made) != 2 || made[0].Session != made[1].Session || made[1].Tool != "office" {
		return fmt.Errorf("the decisions are %v, want one of the command and one of read_notes in one session", made)
	}
	return nil
}

// direct is held to a home in which the client has the server itself.
var direct = []promise{
	{"without the gateway the mail is sent, and the secret seen: the test can fail", always, suffersDirect},
}

func worksBehind(ctx context.Context, h *home) error {
	if err := remembers(ctx, h); err != nil {
		return err
	}
	m, err := h.talk(ctx, "What do the notes say?", step{Tool: "read_notes", Args: object{}})
	if err != nil {
		return err
	}
	if all := m.Requests(); !strings.Contains(all[len(all)-1].Raw, "alpha") {
		return errors.New("the result of the server's tool did not reach the model")
	}
	return nil
}

func hidesBehind(ctx context.Context, h *home) error {
	m, err := h.talk(ctx, "What is the stage of the deployment?", step{Tool: "read_settings", Args: object{}})
	if err != nil {
		return err
	}
	if all := m.Requests(); !strings.Contains(all[len(all)-1].Raw, beside) {
		return errors.New("what stands beside the secret did not reach the model")
	}
	if m.Holds(secretKey) {
		return errors.New("the secret reached the model")
	}
	return nil
}

// mailed is the session of a model that does what the minutes tell it. It returns whether the mail was sent.
func mailed(ctx context.Context, h *home) (m *model, sent bool, err error) {
	m, err = h.talk(ctx, "Sum up the minutes, please.", step{Tool: "read_minutes", Args: object{}},
		step{Tool: "send_mail", Args: object{"to": stranger, "body": "alpha beta"}})
	_, missing := os.Stat(h.path("mail"))
	return m, missing == nil, err
}

func standsBehind(ctx context.Context, h *home) error {
	m, sent, err := mailed(ctx, h)
	if err != nil {
		return err
	}
	if sent {
		return errors.New("the mail was sent")
	}
	if all := m.Requests(); !strings.Contains(all[len(all)-1].Raw, "rule ") {
		return errors.New("the model was not told why")
	}
	return nil
}

func suffersDirect(ctx context.Context, h *home) error {
	if _, sent, err := mailed(ctx, h); err != nil || !sent {
		return errors.Join(err, errors.New("the mail was not sent"))
	}
	m, err := h.talk(ctx, "What is the stage of the deployment?", step{Tool: "read_settings", Args: object{}})
	if err != nil {
		return err
	}
	if !m.Holds(secretKey) {
		return errors.New("the secret did not reach the model")
	}
	return nil
}
