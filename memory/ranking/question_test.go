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

// TestReadOnce: a question that was read lately reads as one that was not, at another time too.
func TestReadOnce(t *testing.T) {
	at := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)
	for _, text := range []string{
		"Where did we live before?", "What is on next week, and what did Ann say in April?", "Write the release notes.", "Which allergies has Mia?", "Why did we leave our old bank?",
	} {
		for _, when := range []time.Time{at, at.AddDate(0, 0, 11)} {
			kept := Read(text, when)
			Forget()
			if fresh := Read(text, when); !reflect.DeepEqual(kept.Request, fresh.Request) || !reflect.DeepEqual(kept.dates, fresh.dates) || kept.agenda != fresh.agenda ||
				!reflect.DeepEqual(kept.Terms, fresh.Terms) || !reflect.DeepEqual(kept.intents, fresh.intents) || !reflect.DeepEqual(kept.limit, fresh.limit) {
				t.Errorf("%q at %s reads otherwise the second time", text, when)
			}
			Read(text, when.AddDate(0, 3, 0))
		}
	}
}
