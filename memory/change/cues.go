package change

// cues is a set of rows of language.Changes, of those that pairs of statements are judged by.
type cues uint32

// The rows, by the words that the table names them by.
const (
	cueAgain cues = 1 << iota
	cueAmount
	cueBeing
	cueBeside
	cueCancel
	cueComplete
	cueCorrect
	cueDuty
	cueFormer
	cueInstead
	cueLeave
	cueMove
	cueNew
	cueNot
	cueNow
	cueOpen
	cueOver
	cuePost
	cueReplace
	cueStart
	cueTelling
	cueTransfer
	cueUnreal
)

// cueRows maps the names of the rows to their bits.
var cueRows = map[string]cues{
	"again": cueAgain, "amount": cueAmount, "being": cueBeing, "beside": cueBeside, "cancel": cueCancel, "complete": cueComplete, "correct": cueCorrect, "duty": cueDuty,
	"former": cueFormer, "instead": cueInstead, "leave": cueLeave, "move": cueMove, "new": cueNew, "not": cueNot, "now": cueNow, "open": cueOpen,
	"over": cueOver, "post": cuePost, "replace": cueReplace, "start": cueStart, "telling": cueTelling, "transfer": cueTransfer, "unreal": cueUnreal,
}

// has reports whether the set has any of the rows.
func (c cues) has(any cues) bool { return c&any != 0 }
