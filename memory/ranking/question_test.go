package ranking

import (
	"reflect"
	"testing"
	"time"
)

// TestReadNothing: no words are read as every form reads them, without trying one.
func TestReadNothing(t *testing.T) {
	if want := readWords("", time.Now()); !reflect.DeepEqual(Read("", time.Now()), want) {
		t.Errorf("Read(\"\") is not %+v", want)
	}
}
