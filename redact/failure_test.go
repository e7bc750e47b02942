package redact

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// failing is a redactor of which a detector fails on the word blimp, telling the text.
func failing(t *testing.T) *Redactor {
	t.Helper()
	r, err := New(nil).With(Rule{ID: "fails", Keywords: []string{"blimp"}, Compile: func() Expression { panic("blimp, hunter2") }})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAFailureIsAnErrorWithoutTheText(t *testing.T) {
	text := "the blimp's password is hunter2"
	got, found, err := failing(t).Try(context.Background(), text)
	if got != "" || found != nil || err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("Try = %q, %v, %v; want an error without the text, and nothing else", got, found, err)
	}
	if got, _, err := failing(t).Try(context.Background(), "all is well"); got != "all is well" || err != nil {
		t.Errorf("Try = %q, %v; want the text", got, err)
	}
}

func TestAFailureOfTextPanicsWithoutTheText(t *testing.T) {
	defer func() {
		if err, ok := recover().(error); !ok || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("Text panicked with %v, want an error without the text", err)
		}
	}()
	got, _ := failing(t).Text("the blimp's password is hunter2")
	t.Errorf("Text = %q, want a panic", got)
}

func TestAFailureOfAStreamWritesNothing(t *testing.T) {
	var out bytes.Buffer
	text := strings.Repeat("fine ", pieceSize) + "blimp hunter2"
	_, err := failing(t).Copy(context.Background(), &out, strings.NewReader(text))
	if err == nil || strings.Contains(err.Error(), "hunter2") || strings.Contains(out.String(), "hunter2") {
		t.Errorf("Copy: error %v with %d bytes written; want one without the text", err, out.Len())
	}
	w := failing(t).Writer(context.Background(), &out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatalf("Write: %v", err)
	}
	if err := w.Close(); err == nil {
		t.Error("Close gave no error")
	}
	if _, err := w.Write([]byte("more")); err == nil {
		t.Error("Write after a failure gave no error")
	}
}
