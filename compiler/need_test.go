package compiler

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTakesLeave: a turn that only takes leave is told from one that asks or agrees.
func TestTakesLeave(t *testing.T) {
	for said, want := range map[string]bool{
		"Phew. That's it for me, have a nice evening, you!":         true,
		"Thanks, that's all for today.":                             true,
		"I'm off, see you tomorrow!":                                true,
		"Good night, sleep well":                                    true,
		"Thank you so much for your help. Bye!":                     true,
		"That was all. Enjoy the rest of your weekend!":             true,
		"Calling it a day.":                                         true,
		"Thanks, yes, do it.":                                       false,
		"Thanks! Now the same for March.":                           false,
		"Great, thanks. Go ahead.":                                  false,
		"Have a good look at the log.":                              false,
		"Write a card: have a lovely trip, from all of us.":         false,
		"That's it for the intro, please write the second chapter.": false,
		"I'm done with the tests, what is next?":                    false,
		"Which evening classes does Leila have?":                    false,
		"See you on Monday is the title of the talk.":               false,
		"Thanks Leila, bye!":                                        true,
		"Oh well, good night, Leila.":                               true,
		"I'm signing off now. Thanks!":                              true,
		"Take care, everyone!":                                      true,
		"Thanks and bye\nLeila":                                     false,
		"Thanks, ship it.":                                          false,
		"Thanks, push it.":                                          false,
		"Thanks, delete everything!":                                false,
		"Thanks. Redeploy.":                                         false,
		"Thanks, Deploy Leila":                                      false,
		"Sign off the invoice.":                                     false,
		"Sign off Leila":                                            false,
		"Log off Jenkins.":                                          false,
		"Take care of that.":                                        false,
		"Take care of Leila, thanks.":                               false,
		"Good night mode, please.":                                  false,
		"Enjoy the trip: fix it.":                                   false,
		"yes":                                                       false,
	} {
		if got := takesLeave(said); got != want {
			t.Errorf("takesLeave(%q) = %v, want %v", said, got, want)
		}
	}
}

// TestQuestionsIn: a turn with several questions gives each by itself, and one with a single question none.
func TestQuestionsIn(t *testing.T) {
	for said, want := range map[string][]string{
		"When is the story hour, and what does a card cost?":                                        {"When is the story hour?", "what does a card cost?"},
		"Who gets woken up when the loads break, and by what time must the dashboard have numbers?": {"Who gets woken up when the loads break?", "by what time must the dashboard have numbers?"},
		"How many fit into the room? And what do I pay for 40 pages?":                               {"How many fit into the room?", "And what do I pay for 40 pages?"},
		"Two quick ones: where is the key? Until when is the shop open?":                            {"where is the key?", "Until when is the shop open?"},
		"How long are books lent?":               nil,
		"Write the report and send it to Ada.":   nil,
		"What is the state of bread and butter?": nil,
		"Who has the spare key, and since when?": nil,
		"Which trail is open, and for how long?": nil,
	} {
		if diff := cmp.Diff(want, questionsIn(said)); diff != "" {
			t.Errorf("questionsIn(%q) (-want +got):\n%s", said, diff)
		}
	}
}
