package quick

import (
	"bytes"
	"errors"
	"testing"
)

// TestPrint prints an answer as it is, and takes one that cannot be printed, or that has no exit code, for a denial.
func TestPrint(t *testing.T) {
	var out, errs bytes.Buffer
	if code := Print([][]byte{[]byte("1"), []byte("answer"), []byte("why")}, &out, &errs); code != 1 || out.String() != "answer" || errs.String() != "why" {
		t.Errorf("Print = %d, %q, %q", code, &out, &errs)
	}
	if code := Print([][]byte{[]byte("one"), nil, nil}, &out, &errs); code != 2 {
		t.Errorf("without a number: %d", code)
	}
	if code := Print([][]byte{[]byte("0"), []byte("answer"), nil}, closed{}, &errs); code != 2 {
		t.Errorf("nobody reads: %d", code)
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("closed") }
