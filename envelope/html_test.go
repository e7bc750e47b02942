package envelope

import (
	"context"
	"regexp"
	"strings"
	"testing"
)

// The text of a page as regular expressions say it.
var (
	dropped     = regexp.MustCompile(`(?is)<(script|style|svg|noscript|template)\b.*?</(script|style|svg|noscript|template)\s*>|<!--.*?-->`)
	heading     = regexp.MustCompile(`(?i)<(title|h[1-6])(\s[^<>]*)?>`)
	blocks      = regexp.MustCompile(`(?i)</?(p|div|br|tr|li|ul|ol|table|section|article|header|footer|h[1-6]|title|body|head)(\s[^<>]*)?/?>`)
	tableCell   = regexp.MustCompile(`(?i)<(td|th)(\s[^<>]*)?>`)
	anyLink     = regexp.MustCompile(`(?i)</?a(\s[^<>]*)?/?>`)
	anyTag      = regexp.MustCompile(`<[^<>]*>`)
	allEntities = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#39;", "'", "&nbsp;", " ")
)

func specifiedTextOfHTML(page string) string {
	page = dropped.ReplaceAllString(page, " ")
	page = heading.ReplaceAllString(page, "\n# ")
	page = blocks.ReplaceAllString(page, "\n")
	page = tableCell.ReplaceAllString(page, " | ")
	address := ""
	page = anyLink.ReplaceAllStringFunc(page, func(tag string) string {
		if strings.HasPrefix(tag, "</") {
			said := " (" + address + ") "
			if address == "" {
				said = " "
			}
			address = ""
			return said
		}
		address = addressOf(tag)
		return " "
	})
	page = allEntities.Replace(anyTag.ReplaceAllString(page, " "))
	var b strings.Builder
	for l := range strings.Lines(page) {
		if l = strings.Join(strings.Fields(l), " "); l != "" && l != "#" && l != "|" {
			b.WriteString(l + "\n")
		}
	}
	return b.String()
}

// FuzzTextOfHTML: the text of a page is the one that the regular expressions say, in one pass over it.
func FuzzTextOfHTML(f *testing.F) {
	for _, page := range []string{
		"<!DOCTYPE html><html><head><title>A &amp; B</title><style>p{}</style></head><body><h1 class=x>One</h1><p>two<br/>three</p></body></html>",
		"<!-- a --> b <!-- c", "<!-->-->x", "<script>a</STYLE >b</script>", "<ſcript>x</ſtyle>y", "<scripts>a</script>", "<script", "<svg a></svg\n>",
		"<foo <h1> bar>", "<p/ >a<p/>b</p/>c</p x/>", "<>a<<p>>b", "&amp;lt;&nbsp;&#39;&", "<div\u00a0>x</div>", "a\n# \n#\n#b", "<K>", "</script></", "<h1\f>x<H7>y",
		"<script>1</x</style><template>2</template", "<a href=x>y</a>z</a/><a>b</a ><td>c<th d>e</td>", "<a/ href=x>b</a>", "< p>a</ p>", "<noscript>\n</noscript  ><b>t</b>",
	} {
		f.Add(page)
	}
	f.Fuzz(func(t *testing.T, page string) {
		if got, want := textOfHTML(watching(context.Background()), page), specifiedTextOfHTML(page); got != want {
			t.Errorf("the text of %q is %q, want %q", page, got, want)
		}
	})
}

// TestLinksAndTables: a link is shown with its address, and the cells of a row apart.
func TestLinksAndTables(t *testing.T) {
	page := `<table><tr><th>Pass</th><th>Price</th></tr><tr><td>Day</td><td>7 &euro;</td></tr></table><p>See <a class="x" href='/terms?a=1&amp;b=2'>the terms</a>, ` +
		`<a href="#top">up</a>, <A HREF=javascript:go()>go</A> or <a href=mailto:desk@example.com>write</a>.</p>`
	want := "| Pass | Price\n| Day | 7 &euro;\nSee the terms (/terms?a=1&b=2) , up , go or write (mailto:desk@example.com) .\n"
	if got := textOfHTML(watching(t.Context()), page); got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
}

// FuzzEscapes: the commands to a terminal that go are those that a regular expression names.
func FuzzEscapes(f *testing.F) {
	command := regexp.MustCompile(`\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[@-Z\\^_=>])`)
	for _, text := range []string{"\x1b[31;1mred\x1b[0m", "\x1b]0;title\x07a", "\x1b]8;;x\x1b\\a", "\x1b]a\x1b[0m", "\x1b", "\x1b[", "\x1b]", "\x1b\x1b\\", "\x1b[1 q", "\x1bM\x1b=\x1bz", "\x1b]\x1b", "\x1b[é"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := withoutEscapes(watching(context.Background()), text), command.ReplaceAllString(text, ""); got != want {
			t.Errorf("%q without escapes is %q, want %q", text, got, want)
		}
	})
}
