package taint

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkRead takes apart 30 KB of mails, and of a page that speaks of users, tasks and systems as guides do.
func BenchmarkRead(b *testing.B) {
	var mails, guide strings.Builder
	for i := range 70 {
		fmt.Fprintf(&mails, "- id: m-%d\n  sender: ann.%d@harbor.example\n  subject: harbor, part %d\n  body: 'Hi,\n\n\n    Please send the plans for the %d. quay to desk.%d@harbor.example before Friday, and pay\n    invoice %d to the account NO93860111%05d.\n\n\n    The weather was fine, and the masons have finished the wall.\n\n\n    Best, Ann'\n", i, i, i, i, i, 7000+i, i)
		fmt.Fprintf(&guide, "Step %d – who works here\nThe system shows each user a list of tasks, and the agent of the user’s team takes one. After the work is done, the model of the pump is noted, and the request is closed.\nTo see what is left, open “My work” in the system menu; every question stays there until an assistant has answered it, or a policy ends it after %d days.\n\n", i, i)
	}
	for name, text := range map[string]string{"mails": mails.String(), "guide": guide.String()} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := Read(b.Context(), text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
