package reduce

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// wishStory is a written conversation, and what a digest of it must and must not tell of the user's wishes.
type wishStory struct {
	name               string
	said               []segment
	gone, stays, later []string
}

// wishStories reads the stories of a file.
func wishStories(t *testing.T, path string) (all []wishStory) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		head, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if head == "#" {
			all = append(all, wishStory{name: rest})
		}
		if len(all) == 0 {
			continue
		}
		s := &all[len(all)-1]
		switch head {
		case "U:":
			s.said = append(s.said, segment{at: len(s.said) + 1, source: fromUser, text: rest})
		case "A:":
			s.said = append(s.said, segment{at: len(s.said) + 1, source: fromAssistant, text: rest})
		case "gone:":
			s.gone = append(s.gone, rest)
		case "stays:":
			s.stays = append(s.stays, rest)
		case "later:":
			s.later = append(s.later, rest)
		}
	}
	return all
}

// digestOf returns the digest of a conversation of which so many of the last parts stay.
func digestOf(all []segment, tail int) string {
	n := len(all) - tail
	c := newCorpus(func() bool { return false }, all[:n], nil, all[n:])
	ch := newChooser(c, room{size: 2000, of: func(s string) int { return len(s)/4 + 1 }, heading: headingTokens, stays: 0.3})
	ch.choose()
	w := &writing{Service: newService(nil), c: c, places: make([]place, n)}
	w.lines, w.names = ch.first(len(ch.picks))
	return w.text()
}

// told reports whether a digest tells a sentence among the words of the user.
func told(digest, sentence string) bool { return placeOf(digest, sentence) >= 0 }

func placeOf(digest, sentence string) int {
	user, _, _ := strings.Cut(digest, "\n[data ")
	return strings.Index(user, sentence)
}

// judgeWishes returns of how many wishes a digest tells what it should, and of how many there are.
func judgeWishes(t *testing.T, path string, show bool) (right, all map[string]int) {
	t.Helper()
	right, all = map[string]int{}, map[string]int{}
	for _, s := range wishStories(t, path) {
		digest := digestOf(s.said, 0)
		judge := func(kind, sentence string, ok bool) {
			all[kind]++
			if ok {
				right[kind]++
			} else if show {
				t.Logf("%s: %s: %s\n%s", s.name, kind, sentence, digest)
			}
		}
		for _, g := range s.gone {
			judge("gone", g, !told(digest, g))
		}
		for _, g := range s.stays {
			judge("stays", g, told(digest, g))
		}
		for _, pair := range s.later {
			older, newer, _ := strings.Cut(pair, " | ")
			a, b := placeOf(digest, older), placeOf(digest, newer)
			judge("later", pair, b >= 0 && (a < 0 || a < b && strings.Contains(digest, strings.TrimSpace(digestUserLater))))
		}
	}
	return right, all
}

// leastGone is the least number of wishes of the frozen half that a digest no longer tells.
const leastGone = 7

// TestWishes: a wish that its user took back or changed is not told as one that holds, and those beside it stay.
func TestWishes(t *testing.T) {
	for _, half := range []string{"frozen", "read"} {
		right, all := judgeWishes(t, "testdata/wishes/"+half+".txt", half == "read")
		t.Logf("%s: %v of %v", half, right, all)
		least := maps.Clone(all)
		if half == "frozen" {
			least["gone"] = leastGone
		}
		for kind, n := range least {
			if right[kind] < n {
				t.Errorf("%s: %s: %d of %d right, want %d", half, kind, right[kind], all[kind], n)
			}
		}
	}
}

// TestWishTakenBackInWhatStays: a wish in messages that stay takes back one in those that are moved out.
func TestWishTakenBackInWhatStays(t *testing.T) {
	said := []segment{
		{at: 1, source: fromUser, text: "Use tabs for indentation. Every function needs a docstring."},
		{at: 2, source: fromUser, text: "The party is on June 14."},
		{at: 3, source: fromUser, text: "No, use spaces for indentation."},
		{at: 4, source: fromUser, text: "The party is on June 21."},
	}
	digest := digestOf(said, 2)
	if told(digest, "Use tabs") || !told(digest, "Every function needs a docstring.") {
		t.Errorf("the digest tells what was taken back, or not what holds:\n%s", digest)
	}
	if !told(digest, "June 14") || !strings.Contains(digest, digestUserLater) {
		t.Errorf("the digest does not say that a later word counts:\n%s", digest)
	}
}

// TestWishesInOneMessage: a wish takes back none that stands above it in its message, and a user's none of the developer's.
func TestWishesInOneMessage(t *testing.T) {
	guide := "Basic seats cannot be changed. Business seats can be changed now.\nUse tabs for indentation. Actually, use spaces for indentation."
	for _, said := range [][]segment{
		{{at: 1, source: fromUser, text: guide}},
		{{at: 1, source: fromSystem, text: "Use tabs for indentation. Basic seats cannot be changed."}, {at: 2, source: fromUser, text: "No, use spaces for indentation."}},
	} {
		if digest := digestOf(said, 0); !told(digest, "Use tabs") || !told(digest, "Basic seats cannot be changed.") {
			t.Errorf("the digest of %q does not tell all of it:\n%s", said[0].text, digest)
		}
	}
}

// TestBansHoldOn: a permission that does not name all that a ban names takes nothing from the digest.
func TestBansHoldOn(t *testing.T) {
	for ban, allowed := range map[string]string{
		"Never delete customer data.":              "Yes, you can delete them.",
		"Never delete the production database.":    "The scratch folder is backed up. You can delete it now.",
		"Do not push to main.":                     "You can push now.",
		"Do not deploy to production.":             "You may deploy now.",
		"Never commit secrets to the repository.":  "You can commit now.",
		"Never send emails to customers directly.": "You can send the emails now.",
	} {
		said := []segment{{at: 1, source: fromUser, text: ban}, {at: 2, source: fromUser, text: allowed}}
		for tail := range 2 {
			if digest := digestOf(said, tail); !told(digest, ban) {
				t.Errorf("%q is lost for %q:\n%s", ban, allowed, digest)
			}
		}
	}
}

// TestDigestOfDifferingWords: a digest whose title says that later words count is known as one.
func TestDigestOfDifferingWords(t *testing.T) {
	digest := digestOf([]segment{{at: 1, source: fromUser, text: "The party is on June 14."}, {at: 2, source: fromUser, text: "The party is on June 21."}}, 0)
	head, rest, _ := strings.Cut(digest, "]\n")
	if s := newService(nil); !strings.HasPrefix(rest, digestUserLater) || !s.wrote(head+"]\n", rest) {
		t.Errorf("this digest is not known as one that was made here:\n%s", digest)
	}
}

// TestBansStayWithoutTheException: a ban is told also where the permission that likely narrows it finds no room, and what is no ban is not.
func TestBansStayWithoutTheException(t *testing.T) {
	for older, c := range map[string]struct {
		newer string
		stays bool
	}{
		"Do not push.":             {"You can push to the scratch branch now.", true},
		"Never deploy on Fridays.": {"You can deploy the docs on Fridays now.", true},
		"The party is on June 14.": {"The party is on June 21.", false},
	} {
		with := newCorpus(func() bool { return false }, []segment{{at: 1, source: fromUser, text: older}, {at: 2, source: fromUser, text: c.newer}}, nil, nil)
		newChooser(with, room{size: 2000, of: func(s string) int { return len(s)/4 + 1 }, heading: headingTokens, stays: 0.3})
		if st := with.speech.of[0]; st == nil || len(st.doubted) == 0 {
			t.Fatalf("%q puts %q in no doubt", c.newer, older)
		}
		if got := with.withLater([]int32{0}); (len(got) == 1) != c.stays {
			t.Errorf("%q without %q: %v", older, c.newer, got)
		}
	}
}

// TestTitleOverTheDeveloper: a line of the developer stands below no title that says that later words count, and a digest with either title is known.
func TestTitleOverTheDeveloper(t *testing.T) {
	said := []segment{
		{at: 1, source: fromSystem, text: "Never reveal the price list."},
		{at: 2, source: fromUser, text: "The party is on June 14."},
		{at: 3, source: fromUser, text: "The party is on June 21."},
	}
	for from, title := range map[int]string{0: digestUser, 1: digestUserLater} {
		digest := digestOf(said[from:], 0)
		head, rest, _ := strings.Cut(digest, "]\n")
		if s := newService(nil); !strings.HasPrefix(rest, title) || !s.wrote(head+"]\n", rest) || !told(digest, "June 14") || told(digest, "price list") != (from == 0) {
			t.Errorf("the title is not %q, or the digest is not known:\n%s", title, digest)
		}
	}
}

// TestWithLater: a line that is told with a later one only goes with it, and what is told with that line only goes too.
func TestWithLater(t *testing.T) {
	for _, c := range []struct {
		doubted     map[int32][]int32
		lines, want []int32
	}{
		{map[int32][]int32{0: {1}, 1: {2}}, []int32{0, 1}, nil},
		{map[int32][]int32{0: {1}, 1: {2}}, []int32{1, 0}, nil},
		{map[int32][]int32{0: {1}, 1: {2}}, []int32{0, 1, 2}, []int32{0, 1, 2}},
		{map[int32][]int32{0: {1}, 1: {-1}}, []int32{0, 1}, []int32{0, 1}},
		{map[int32][]int32{0: {1, 3}, 1: {2}}, []int32{3, 1, 0}, []int32{3, 0}},
		{map[int32][]int32{0: {1}, 1: {2}, 2: {4}}, []int32{3, 2, 1, 0}, []int32{3}},
	} {
		speech := map[int32]*statement{}
		for id, newer := range c.doubted {
			speech[id] = &statement{doubted: newer}
		}
		with := &corpus{}
		with.speech.of = speech
		if got := with.withLater(c.lines); !slices.Equal(got, c.want) {
			t.Errorf("%v of lines %v: %v, want %v", c.doubted, c.lines, got, c.want)
		}
	}
}
