package reduce

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp/conversation"
)

// moveOut takes the messages between the first zone and until out of the conversation. No digest stands for them yet.
func (j *job) moveOut(until int) {
	head, start := j.head()
	if until <= start {
		return
	}
	for i := start; i < until; i++ {
		j.resolve(&j.all[i])
	}
	if j.moved == 0 { // the digest of earlier epochs goes too
		j.moved = j.tokensOf(head, start)
	}
	j.moved += j.tokensOf(start, until)
	tools := j.toolsByCall()
	out := j.all[start:until]
	j.gone = append(j.gone, segments(out, head+j.state.Removed+1, tools, j.clean)...)
	if j.state.Removed == 0 {
		j.state.Head = head
	}
	for i := range out {
		j.state.Prefix = chain(j.state.Prefix, &out[i])
	}
	j.state.Removed += len(out)
	j.all = slices.Concat(j.all[:start], j.all[until:])
	j.pending = true
	if j.edited < 0 || start < j.edited {
		j.edited = start
	}
}

// resolve gives every result of a message that refers to an artifact all that the artifact holds.
func (j *job) resolve(m *conversation.Message) {
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind == conversation.Result && p.Full == "" {
			_, p.Full = j.whole(p.Text)
		}
	}
}

// digestShare is how much of what was moved out a digest must have room for, if what stands around it is to stay as it is.
const digestShare = 0.6

// roomy reports whether there is room for a digest that is worth its place.
func (j *job) roomy() bool {
	bytes := 0
	for _, s := range j.gone {
		bytes += len(s.text)
	}
	for _, s := range j.past {
		bytes += len(s.text)
	}
	return float64(j.room()*charsPerToken) >= float64(bytes)*digestShare
}

// clearThinking takes thinking out of what follows the first message that was edited: providers accept it only behind the messages
// that it was thought behind.
func (j *job) clearThinking() {
	if j.edited < 0 {
		return
	}
	if n := conversation.DropThinking(j.all, j.edited, len(j.all)); n > 0 {
		j.log(thinkingDropped, "blocks", n)
	}
	kept := j.state.Cleared[:0:0]
	for _, c := range j.state.Cleared {
		if c[0] < j.edited {
			kept = append(kept, [2]int{c[0], min(c[1], j.edited)})
		}
	}
	j.state.Cleared = append(kept, [2]int{j.edited, len(j.all)})
}
