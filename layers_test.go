package ctxmcp_test

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/ctx-mcp/ctx-mcp"

// A layer says which packages of the product a package may import, and why so many or so few.
type layer struct {
	why     string
	imports []string
}

// layers has a row for each package; "" is the root. Tests may import more. The diagram of directions in
// docs/ARCHITECTURE.md is computed from it.
var layers = map[string]layer{
	"":         {why: "the language that all speak: values only, so it depends on nobody"},
	"language": {why: "the terms of a text follow from the text alone, and every store must find the same ones"},
	"language/lexicon": {why: "how near two words are follows from the words; what that is worth is for the ranking",
		imports: []string{"language", "language/lexicon/network"}},
	"language/relations": {why: "what a text is about follows from its words and their base forms",
		imports: []string{"language", "language/lexicon"}},
	"language/limits": {why: "whether a text is about what somebody cannot eat, take or bear follows from its words",
		imports: []string{"language", "language/lexicon", "language/relations"}},
	"language/wordvec": {why: "how like two texts are follows from their words alone"},
	"language/wordvec/build": {why: "makes the table of wordvec from vectors that others have learned, and fits their map to labelled conversations",
		imports: []string{"eval/labelled", "language", "language/lexicon", "language/wordvec"}},
	"language/lexicon/network": {why: "a format, whatever its words mean"},
	"language/lexicon/build":   {why: "makes the table of lexicon from a dictionary", imports: []string{"language/lexicon/network"}},
	"redact":                   {why: "a secret is told by the text alone; it must be usable before anything else has run"},
	"memory/extract": {why: "what a statement claims follows from its words, which are listed in language; who may claim it is for memory",
		imports: []string{"language"}},
	"tokens":            {why: "a count follows from text and model; nothing about a prompt is decided here"},
	"memory/vectors":    {why: "an index of numbers, which knows only the ids that it gives back", imports: []string{""}},
	"schema":            {why: "derives from Go types; the vocabularies that become enums are at the root", imports: []string{"", "schema/ijson"}},
	"schema/ijson":      {why: "reads text before anything is decoded, and writes any value, so it knows no type"},
	"serve/access":      {why: "a token stands for a caller, which is a word of the root; the store is an interface", imports: []string{""}},
	"serve/oauth":       {why: "an access token stands for a caller and scopes; which scope allows what is for others", imports: []string{""}},
	"serve/certificate": {why: "keeps a certificate without knowing who serves with it; the errors are those of the root", imports: []string{""}},
	"serve/admission":   {why: "bounds work without knowing the work; the errors are those of the root", imports: []string{""}},
	"llm/embed":         {why: "speaks to an endpoint in texts and vectors; the errors are those of the root", imports: []string{""}},
	"serve":             {why: "transports know calls and callers, and no tool", imports: []string{"", "serve/admission", "serve/allowance", "schema/ijson"}},
	"serve/allowance":   {why: "counts messages of callers by their names; the store is an interface"},
	"console/visits":    {why: "keeps who was let in for the pages; the store is an interface", imports: []string{""}},
	"serve/telemetry":   {why: "sends names and durations that it is told, so it needs no type of the product"},
	"memory/change": {why: "what a statement does to an earlier one follows from both; who may carry it out is for memory",
		imports: []string{"", "language", "weights"}},
	"memory/entities": {why: "resolves names without I/O; the registry that it reads is an argument", imports: []string{"", "language"}},
	"quota":           {why: "compares numbers; the store that counts them imports it", imports: []string{""}},
	"memory/origin":   {why: "a site is told by the source alone", imports: []string{""}},
	"memory": {why: "the rules of memory on the words, names, claims and secrets of a text; stores are its interfaces", imports: []string{
		"", "language", "language/limits", "memory/brief", "memory/change", "memory/entities", "memory/extract", "memory/ranking", "memory/origin", "quota", "redact",
	}},
	"memory/brief": {why: "tells objects in words, and chooses among them; the store that they are from is for memory",
		imports: []string{"", "containment", "language"}},
	"memory/exchange": {why: "writes and reads the objects of memory, and redacts what comes from elsewhere",
		imports: []string{"", "memory/exchange/foreign", "schema/ijson", "memory", "redact", "schema"}},
	"tools": {why: "each tool hands its call to the service that owns it, so it knows every service and no store", imports: []string{
		"", "actions", "actions/taint", "serve/admission", "artifacts", "compiler", "containment", "conversation", "directives",
		"memory/brief", "memory/entities", "envelope", "memory", "packets", "redact", "reduce", "schema", "schema/ijson", "tasks",
	}},

	// Ranking: how well memories answer a question.
	"memory/ranking": {why: "pure, below the rules and the stores, so that both can use its values",
		imports: []string{"", "language", "language/lexicon", "language/limits", "language/relations", "language/wordvec", "memory/change", "memory/entities", "weights"}},
	"memory/later": {why: "pure; what a reader of two statements is told of them, which is less sure than a change",
		imports: []string{"language", "language/lexicon", "memory/change", "weights"}},
	"weights": {why: "a form of tables of numbers; the features that they weigh are with those who use them"},

	// Governance: the decisions on actions, and their proof.
	"actions": {why: "keeps sessions, asks policy for a verdict and receipts for the proof; stores are its interfaces",
		imports: []string{"", "actions/effect", "actions/judge", "actions/opinion", "actions/policy", "actions/taint", "language", "quota", "receipts", "redact", "schema/ijson"}},
	"actions/effect": {why: "what a call would do follows from its name and its arguments; words of languages are lists of language",
		imports: []string{"language", "schema/ijson"}},
	"actions/judge": {why: "asks effect what a call would do and taint on whose word, and decides nothing",
		imports: []string{"", "actions/effect", "actions/refusal", "actions/taint", "language"}},
	"actions/refusal": {why: "whether a call goes against a statement follows from the two; who made the statement is for taint",
		imports: []string{"actions/effect", "language"}},
	"actions/opinion": {why: "puts one question to a model, which is its interface; the rules have decided before",
		imports: []string{"", "actions/effect", "actions/judge", "actions/taint"}},
	"actions/taint": {why: "tells where values and instructions come from, by texts alone: no session, lock or receipt; effect tells a command line from a value",
		imports: []string{"", "actions/effect", "actions/refusal", "language", "schema/ijson", "weights"}},
	"actions/policy":   {why: "a verdict follows from the rules and one input", imports: []string{""}},
	"receipts":         {why: "proves a body that it is given; what was decided means nothing to it", imports: []string{"", "schema/ijson"}},
	"receipts/keyring": {why: "holds the keys that receipts asks for, in files", imports: []string{"", "receipts"}},
	"vault":            {why: "seals single fields of any row, so it knows no row", imports: []string{""}},
	"receipts/ocsf":    {why: "says a receipt in other words", imports: []string{"", "receipts"}},

	// The border between data and instructions.
	"containment": {why: "every text that reaches a model passes it, whoever framed it, so it knows none of them"},

	// Tool results, artifacts and tasks.
	"artifacts/pattern":   {why: "an expression's cost follows from the expression", imports: []string{""}},
	"artifacts/fields":    {why: "walks a document; the expressions in a path are bounded by pattern", imports: []string{"", "artifacts/pattern"}},
	"artifacts/fieldname": {why: "compares names by their words, in any text", imports: []string{"language", "redact", "schema/ijson"}},
	"artifacts/seal":      {why: "encrypts bytes of originals, whatever they are", imports: []string{""}},
	"artifacts": {why: "bytes are redacted before they are kept, cut by fields, patterns and tokens, and described by words that do not speak to a model",
		imports: []string{"", "artifacts/fields", "artifacts/pattern", "containment", "quota", "redact", "schema/ijson", "tokens"}},
	"envelope": {why: "redacts, contains, keeps and trims a result: each step is a package below it",
		imports: []string{"", "artifacts", "containment", "language", "language/lexicon", "language/relations", "redact", "schema/ijson", "tokens"}},
	"tasks": {why: "a task holds references to artifacts, and selects declared fields of them",
		imports: []string{"", "artifacts", "artifacts/fieldname", "artifacts/fields", "redact", "tokens"}},

	// Packets, and the sources of directives.
	"packets": {why: "a packet pins artifacts and names versions of memories, and may hold no secret",
		imports: []string{"", "artifacts", "memory", "quota", "redact", "schema/ijson"}},
	"directives": {why: "brings what memory, artifacts, packets and tasks hold, by the steps of the envelope",
		imports: []string{"", "artifacts", "envelope", "memory", "packets", "redact", "schema/ijson", "tasks", "tokens"}},
	"directives/upstream": {why: "one more source, behind the interface of directives", imports: []string{"", "directives"}},
	// Long conversations.
	"conversation": {why: "a message in the forms of the providers; parts are counted by tokens", imports: []string{"", "schema/ijson", "tokens"}},
	"reduce": {why: "moves turns of a conversation out to artifacts, redacted, and contains the digest",
		imports: []string{"", "artifacts", "containment", "conversation", "language", "language/lexicon", "memory/change", "memory/later", "redact", "tokens", "weights"}},
	"llm/chat": {why: "speaks to an endpoint in texts; the errors are those of the root", imports: []string{""}},

	// The compiler of contexts.
	"compiler": {why: "gathers from memory, tasks, the envelope and packets; the stages themselves do no I/O", imports: []string{
		"", "artifacts", "artifacts/fieldname", "language", "language/lexicon", "language/limits", "containment", "conversation", "envelope", "memory", "memory/change", "memory/later", "memory/origin", "packets", "redact",
		"schema/ijson", "tasks",
	}},

	// The tables of secrets.
	"redact/rules": {why: "reads tables into the rules that redact runs", imports: []string{"redact"}},

	// The forms of other systems.
	"memory/exchange/foreign": {why: "reads the forms of others into its own values, and judges nothing", imports: []string{"", "schema/ijson"}},

	// The pages for people.
	"console": {why: "shows what services answer, and marks text that must not act; it has no rule of its own", imports: []string{
		"", "actions", "artifacts", "compiler", "console/visits", "containment", "gateway", "memory", "memory/audit", "memory/entities", "packets", "receipts", "redact", "reduce", "tasks", "trail",
	}},

	// The audit trail.
	"trail": {why: "reads lines that services wrote, and shows a person their own", imports: []string{""}},

	// The faults of memories.
	"memory/audit": {why: "looks at objects by their words and secrets; reads no store", imports: []string{"", "language", "redact"}},

	// The stores point up, at the interfaces that they satisfy.
	"storetest/inmem": {why: "a store knows whoever declared the interfaces that it satisfies", imports: []string{
		"", "serve/access", "actions", "language", "artifacts", "memory/entities", "memory", "memory/ranking", "packets",
		"quota", "receipts", "tasks", "trail",
	}},
	"sqlite": {why: "a store knows whoever declared the interfaces that it satisfies, and keeps vectors beside its rows", imports: []string{
		"", "serve/access", "actions", "language", "artifacts", "memory/entities", "memory", "memory/ranking", "packets",
		"quota", "receipts", "tasks", "trail", "memory/vectors", "artifacts/blobs/sealed", "console/visits", "serve/allowance",
	}},
	"artifacts/blobs":                   {why: "satisfies the interface of artifacts, on files", imports: []string{"", "artifacts"}},
	"artifacts/blobs/bucket":            {why: "keeps the files of blobs in object storage", imports: []string{"", "artifacts", "artifacts/blobs"}},
	"artifacts/blobs/sealed":            {why: "seals what another store of bytes keeps; the keys are its interface", imports: []string{"", "artifacts", "artifacts/blobs"}},
	"artifacts/blobs/bucket/buckettest": {why: "starts a server for tests"},

	// Tools of the tests.
	"actions/taint/stories":  {why: "sessions told in text, for the tests of two packages"},
	"llm/embed/embedtest":    {why: "an endpoint for tests, which speaks HTTP and no type of the product"},
	"storetest/canceltest":   {why: "counts looks at a context, of any work"},
	"storetest/providertest": {why: "judges messages by the rules of the providers alone"},
	"storetest/golden":       {why: "compares text with files, whatever wrote it"},
	"storetest/rounds":       {why: "tells a number, of whatever is tested"},
	"storetest": {why: "compares any store with the one in memory, over every interface", imports: []string{
		"", "serve/access", "actions", "language", "artifacts", "memory/entities", "storetest/inmem", "memory",
		"memory/ranking", "packets", "quota", "receipts", "storetest/rounds", "tasks", "trail",
	}},

	// The settings, and the options of services that they give.
	"postgres":                   {why: "keeps the store in another database: it hands the embedded store's statements an engine", imports: []string{"", "console/visits", "serve/allowance", "sqlite"}},
	"postgres/postgrestest":      {why: "starts a server for tests"},
	"postgres/postgrestest/with": {why: "starts a server, and a bucket, for a command of the tests", imports: []string{"artifacts/blobs/bucket/buckettest", "postgres/postgrestest"}},
	"config": {why: "settings are a table with what each means to whom, so it knows the values that can be set", imports: []string{
		"", "actions", "actions/policy", "directives/upstream", "gateway", "hook", "memory", "packets", "quota", "redact", "reduce", "schema", "serve/oauth", "sqlite",
		"tokens", "tools", "vault",
	}},

	// Before and after the tools of an agent, without its help.
	"guard": {why: "decides and takes in calls for any front end, over the services that own the steps",
		imports: []string{"", "actions", "actions/policy", "containment", "envelope"}},
	"hook": {why: "says the events of clients in the words of guard; taint tells what only reads where nothing can be asked",
		imports: []string{"", "actions/taint", "containment", "guard", "hook/wire"}},
	"hook/wire":  {why: "is part of every start of the program, so it imports next to nothing"},
	"serve/heap": {why: "paces the collector from the beginning of the program, so it imports next to nothing"},
	"hook/quick": {why: "runs before the program has begun, so it imports next to nothing", imports: []string{"hook/wire"}},

	"gateway": {why: "stands in front of other servers: guard decides, serve knows the client; find_tools ranks as memory does", imports: []string{
		"", "actions", "containment", "directives/upstream", "gateway/credentials", "guard", "language", "memory/ranking", "redact", "schema/ijson", "serve",
	}},
	"gateway/credentials":            {why: "keeps what opens servers; a vault seals it, by an interface", imports: []string{""}},
	"gateway/credentials/issuertest": {why: "an authorization server for tests"},

	// Other programs' configurations.
	"connect": {why: "edits files of others, in which the server is a command or a URL; the errors are those of the root", imports: []string{""}},

	// Programs know all they need.
	"cmd/ctx-mcp": {why: "wires: the one package that knows all, and holds no rule of the domain", imports: []string{
		"", "serve/access", "actions", "serve/admission", "language", "artifacts", "memory/audit", "artifacts/blobs", "artifacts/blobs/bucket", "artifacts/blobs/sealed", "console", "console/visits",
		"llm/chat", "compiler", "config", "connect", "containment", "gateway", "gateway/credentials", "guard", "hook", "hook/quick", "hook/wire", "directives", "llm/embed", "envelope", "receipts/ocsf",
		"memory/brief", "memory/entities", "memory/exchange", "memory/exchange/foreign", "memory/ranking", "receipts/keyring", "memory", "packets", "quota", "actions/opinion", "actions/policy",
		"receipts", "redact", "redact/rules", "reduce", "schema", "artifacts/seal", "serve", "serve/certificate", "serve/heap", "serve/oauth", "postgres", "sqlite", "tasks",
		"serve/telemetry", "tokens", "tools", "trail", "directives/upstream", "vault",
	}},
	"docs/extending": {why: "the test of the pages: it reads files and runs commands"},
	"release":        {why: "puts binaries into packages, whatever they do"},
	"release/make":   {why: "builds the product, whose tools a bundle lists", imports: []string{"release", "tools"}},
	"docs/site":      {why: "makes pages of files, whatever they say", imports: []string{"eval/program"}},
	"eval/driver":    {why: "starts a server and calls its tools from outside, and may not know its inside"},
	"eval/attack":    {why: "attacks a server from outside, and may not know its inside", imports: []string{"eval/driver"}},
	"eval/hostile":   {why: "the program around attack", imports: []string{"eval/attack", "eval/driver"}},
	"eval/wire":      {why: "the program that measures the binary through the wire", imports: []string{"eval/driver", "eval/program"}},
	"eval/lsa":       {why: "vectors from texts alone; words are split as the stores do", imports: []string{"language"}},
	"eval/clients":   {why: "runs other programs against the binary, and knows no package of it", imports: []string{"eval/program"}},
	"eval/cache":     {why: "drives a server; prompts are counted by tokens", imports: []string{"eval/labelled", "eval/program", "tokens"}},
	"eval/changes": {why: "fits the weights of the features of a change to labelled pairs",
		imports: []string{"", "eval/fit", "eval/labelled", "eval/program", "language", "memory/change", "memory/later"}},
	"eval/compile":  {why: "drives a server; prompts are counted by tokens", imports: []string{"eval/labelled", "eval/program", "tokens"}},
	"eval/labelled": {why: "drives a server with labelled conversations, from outside", imports: []string{"eval/driver"}},
	"eval/recall":   {why: "drives a server, with or without vectors", imports: []string{"eval/labelled", "eval/lsa", "eval/program"}},
	"eval/recall/fit": {why: "fits the weights of ranking on the candidates that memory finds in a store",
		imports: []string{"", "eval/fit", "eval/labelled", "eval/program", "memory", "memory/ranking", "redact", "sqlite", "tokens"}},
	"eval/redaction": {why: "drives a server, from outside", imports: []string{"eval/driver", "eval/labelled", "eval/program"}},
	"eval/reduction": {why: "drives a server, from outside, with conversations of any format", imports: []string{"conversation", "eval/driver", "eval/labelled", "eval/program"}},
	"eval/reduction/fit": {why: "fits the weights of reduce on the features that it has of labelled transcripts",
		imports: []string{"conversation", "eval/fit", "eval/labelled", "eval/program", "reduce", "weights"}},
	"eval/redaction/samples": {why: "runs the detectors on the samples of other tables", imports: []string{"redact", "redact/rules"}},
	"eval/tokens":            {why: "compares the counters with known counts", imports: []string{"eval/program", "tokens"}},
	"eval/tokens/fit":        {why: "fits the estimates of the counters", imports: []string{"tokens"}},
	"eval/actions":           {why: "drives a server, from outside", imports: []string{"eval/driver", "eval/labelled", "eval/program"}},
	"eval/actions/fit": {why: "fits the weights of taint on labelled sessions, redacted as the service has them",
		imports: []string{"actions/taint", "eval/fit", "eval/labelled", "eval/program", "redact"}},
	"eval/fit":     {why: "a fit and its cross-validation over groups, of any features, written as a table of weights", imports: []string{"weights"}},
	"eval/program": {why: "begins and ends programs, of any purpose"},
}

// standardOnly lists the packages that import nothing but the standard library and the product.
var standardOnly = []string{"", "guard", "hook", "hook/quick", "hook/wire", "serve/access", "serve/admission", "serve/allowance", "serve/heap", "console/visits", "memory", "memory/ranking", "redact", "storetest/inmem", "memory/vectors", "artifacts", "containment", "envelope", "tasks", "artifacts/blobs"}

type listed struct {
	ImportPath string
	Imports    []string
}

func TestLayers(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range list(t) {
		name := relative(p.ImportPath)
		seen[name] = true
		row, known := layers[name]
		if !known {
			t.Errorf("package %q stands in no layer: add it to the table, with what it may import and why", name)
			continue
		}
		if row.why == "" {
			t.Errorf("the row of %q gives no reason", name)
		}
		for _, i := range p.Imports {
			switch {
			case i == module || strings.HasPrefix(i, module+"/"):
				if !slices.Contains(row.imports, relative(i)) {
					t.Errorf("%q imports %q, which its layer may not", name, relative(i))
				}
			case slices.Contains(standardOnly, name) && strings.Contains(strings.Split(i, "/")[0], "."):
				t.Errorf("%q imports %s, but may use the standard library only", name, i)
			}
		}
	}
	for name := range layers {
		if !seen[name] {
			t.Errorf("the table has a row for %q, which does not exist", name)
		}
	}
}

// list returns every package of the product.
func list(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "-tags", "sqlite_fts5", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		all = append(all, p)
	}
}

func relative(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, module), "/") }
