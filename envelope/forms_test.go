package envelope

import (
	"fmt"
	"strings"
	"testing"
)

// filler returns n lines of a form, of which each has the number in it several times, in different sizes.
func filler(n int, form string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, strings.NewReplacer("%a", "%[1]d", "%b", "%[2]d", "%c", "%[3]s").Replace(form)+"\n", i, (i*7919+13)%997, names[(i*31+i/7)%len(names)])
	}
	return b.String()
}

var names = strings.Fields("amber birch cedar delta ember fjord grove haven inlet jetty kiosk lemon maple north olive pearl quartz ridge spruce tundra")

// TestForms: of what tools write, in each of its forms, the answer to a question is shown within 300 tokens, and without one the part that is unlike
// the rest.
func TestForms(t *testing.T) {
	for _, tt := range []struct {
		name, question, text string
		want                 []string
	}{
		{"records of a cloud", "Which instance is stopped?", `{"Reservations":[` + strings.TrimSuffix(strings.ReplaceAll(filler(90,
			`{"Instances":[{"InstanceId":"i-0a%b","InstanceType":"t3.small","State":{"Code":16,"Name":"running"},"Tags":[{"Key":"Name","Value":"%c-%a"}]}]},`), "\n", "")+
			`{"Instances":[{"InstanceId":"i-0ffe","InstanceType":"t3.small","State":{"Code":80,"Name":"stopped"},"Tags":[{"Key":"Name","Value":"ledger-2"}]}]},`+
			strings.ReplaceAll(filler(60, `{"Instances":[{"InstanceId":"i-0b%b","InstanceType":"t3.small","State":{"Code":16,"Name":"running"},"Tags":[{"Key":"Name","Value":"%c-%a"}]}]},`), "\n", ""), ",") + `]}`,
			[]string{`"i-0ffe"`, `"stopped"`}},
		{"an answer of an interface", "What is the e-mail domain of Ruth Adler?", `{"page":1,"users":[` + strings.ReplaceAll(filler(120, `{"id":%a,"name":"%c %b","team":"%c","domain":"%c.example"},`), "\n", "") +
			`{"id":901,"name":"Ruth Adler","team":"legal","domain":"adler.example"}]}`, []string{"Ruth Adler", "adler.example"}},
		{"a setting deep in JSON", "How long is the retention of audit events?", `{"service":{` + strings.ReplaceAll(filler(150, `"%c_%a":{"enabled":true,"interval":"%bs","days":%b},`), "\n", "") +
			`"audit_events":{"enabled":true,"retention_days":400}}}`, []string{`"audit_events"`, `"retention_days":400`}},
		{"rows of a table", "How many pallets does the depot in Graz hold?", "depot,city,pallets,manager\n" + filler(300, "D%a,%c,%b,%c") + "D901,Graz,4711,Novak\n" + filler(200, "E%a,%c,%b,%c"),
			[]string{"depot,city,pallets,manager", "D901,Graz,4711,Novak"}},
		{"a chat", "Which room did they choose for the workshop?", filler(150, "[2026-03-01 10:%a] %c: did anyone look at ticket %b, or is it waiting") + "[2026-03-01 13:02] Pia: the workshop moves to room Kepler, second floor\n" +
			filler(150, "[2026-03-01 14:%a] %c: ticket %b is done I think"), []string{"the workshop moves to room Kepler, second floor"}},
		{"an access log", "Which client gets 403 answers?", filler(700, `10.1.0.%a - - [05/Jan/2026:10:00:00 +0000] "GET /%c/%b HTTP/1.1" 200 7%b "-"`) +
			"10.9.9.9 - - [05/Jan/2026:10:01:00 +0000] \"GET /admin HTTP/1.1\" 403 12 \"-\"\n" + filler(700, `10.1.0.%a - - [05/Jan/2026:10:02:00 +0000] "GET /%c/%b HTTP/1.1" 200 7%b "-"`),
			[]string{"10.9.9.9", "403"}},
		{"a plan of changes", "Will the database be replaced?", "Terraform will perform the following actions:\n" + filler(60, "\n  # aws_instance.%c[%a] will be updated in-place\n  ~ resource \"aws_instance\" \"%c\" {\n      ~ tags = {\n          ~ \"rev\" = \"%a\" -> \"%b\"\n        }\n    }") +
			"\n  # aws_db_instance.main must be replaced\n-/+ resource \"aws_db_instance\" \"main\" {\n      ~ engine_version = \"14.9\" -> \"16.2\" # forces replacement\n    }\n" +
			filler(30, "\n  # aws_route.%c[%a] will be created\n  + resource \"aws_route\" \"%c\" {\n      + id = %b\n    }") + "\nPlan: 31 to add, 60 to change, 1 to destroy.\n",
			[]string{"# aws_db_instance.main must be replaced", "forces replacement"}},
		{"lines of a search", "Where is the retry limit defined?", filler(300, "src/%c/handler_%a.go:%b:\tlog.Printf(\"retry %s\", name)") + "src/net/client.go:41:const retryLimit = 7 // attempts\n" + filler(200, "src/%c/other_%a.go:%b:\t// retry the call"),
			[]string{"src/net/client.go:41:const retryLimit = 7"}},
		{"headers of an answer", "Which cache served the page?", "HTTP/1.1 200 OK\nDate: Mon, 05 Jan 2026 10:00:00 GMT\nX-Cache: HIT from edge-vie-3\nContent-Type: text/html\n\n" + filler(300, "<p>%c and %c walked to the %c for %b minutes.</p>"),
			[]string{"X-Cache: HIT from edge-vie-3"}},
		{"a trace of several", "Why did the import fail?", filler(200, "2026-01-02 03:%a:00 INFO imported %c number %b") + "2026-01-02 04:00:00 ERROR import aborted\njava.lang.IllegalStateException: ledger 12 is closed\n\tat shop.Ledger.add(Ledger.java:12)\n\tat shop.Main.run(Main.java:9)\nCaused by: shop.ClosedException: year end\n\tat shop.Year.check(Year.java:3)\n" + filler(200, "2026-01-02 05:%a:00 INFO waiting for %c number %b"),
			[]string{"ERROR import aborted", "ledger 12 is closed", "Caused by: shop.ClosedException: year end"}},
		{"a function", "How is the discount computed?", "package shop\n\n" + filler(60, "// Get%a returns the %c.\nfunc Get%a(id int) int {\n\tx := load(%b)\n\treturn x + id\n}\n") + "// discount takes a tenth off for members, and never more than 50.\nfunc discount(sum float64, member bool) float64 {\n\tif !member {\n\t\treturn 0\n\t}\n\treturn min(sum/10, 50)\n}\n\n" +
			filler(60, "// Put%a stores the %c.\nfunc Put%a(id int) {\n\tstore(%b)\n}\n"), []string{"func discount(sum float64, member bool) float64 {", "return min(sum/10, 50)"}},
		{"pods", "Which pods are not ready?", "NAME              READY   STATUS             RESTARTS   AGE\n" + filler(120, "%c-%a            1/1     Running            0          %bh") + "billing-77        0/1     ImagePullBackOff   0          5m\n",
			[]string{"NAME              READY", "billing-77        0/1     ImagePullBackOff"}},
		{"an odd line of a log", "", filler(800, "2026-01-02 03:04:05 INFO worker %c handled job %b in %b ms") + "2026-01-02 03:04:06 INFO ledger rewound to checkpoint 12\n" + filler(800, "2026-01-02 03:04:07 INFO worker %c handled job %b in %b ms"),
			[]string{"ledger rewound to checkpoint 12"}},
		{"an odd record", "", "[" + strings.ReplaceAll(filler(300, `{"id":%a,"host":"%c","temperature":2%b,"state":"ok"},`), "\n", "") + `{"id":900,"host":"ember","temperature":-99999,"state":"ok"},` +
			strings.ReplaceAll(filler(100, `{"id":1%a,"host":"%c","temperature":3%b,"state":"ok"},`), "\n", "") + `{"id":1,"host":"a","temperature":250,"state":"ok"}]`, []string{`-99999`}},
		{"an odd row", "", "day,shop,sales\n" + filler(700, "2026-01-02,%c,1%b") + "2026-01-03,grove,999999\n" + filler(300, "2026-01-04,%c,1%b"), []string{"day,shop,sales", "2026-01-03,grove,999999"}},
		{"a decision in minutes", "What was decided about the car park?", strings.ReplaceAll(filler(150, "Item %a. The members spoke about the %c for a while, and %c promised to look into it before the next meeting in hall %b.\n"), "\n", "\n") +
			"Item 200. Car park: it stays closed on Sundays, by seven votes to two.\n\n" + filler(50, "Item 3%a. Thanks were said to %c.\n"), []string{"it stays closed on Sundays"}},
	} {
		s, _ := service()
		out := wrap(t, s, Result{Value: quoted(tt.text), MaxTokens: 330, Question: tt.question})
		for _, want := range tt.want {
			if !strings.Contains(out.Content, want) {
				t.Errorf("%s (%s): %q is not in\n%s", tt.name, out.Kind, want, out.Content)
			}
		}
	}
}
