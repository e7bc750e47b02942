package envelope

// kinds are tried in this order; the first that is meant names the content. The last is always meant. init fills it, because
// a kind may look at others when it keeps.
var kinds []kind

func init() {
	kinds = []kind{
		jsonObject, jsonArray, records, diff, queryPlan, stackTrace, testOutput, buildOutput, table, logLines, markup, xmlText, encoded, listing, alignedTable, code, plainText,
	}
}

// recognise names the content of a text. Once the watch is over the name means nothing.
func recognise(w *watch, text string) kind {
	c := &content{text: text, lines: firstLines(text, lookedAt)}
	for _, k := range kinds {
		if w.over(len(text)) {
			break
		}
		if k.is(c) {
			return k
		}
	}
	return plainText
}
