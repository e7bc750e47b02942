package effect

import (
	"slices"
	"strings"
)

// Made is something new that a call makes.
type Made struct {
	Object string   `json:"object,omitempty"` // its name; empty: the answer names it
	Beside []string `json:"beside,omitempty"` // the other operands of the call: kinds, and what the object is part of
}

// maker is a row of the table of commands that make something new, and fail where it is there already.
type maker struct {
	name, sub string   // the subcommand in order; empty: none
	flags     []string // one of them; none: any
	unless    []string // not with one of these: then what is there already is taken as it is
	named     string   // the flag with the name of the object; empty: the last operand has it
	sample    string
}

// makers is the table. Its source are the manuals of the commands.
var makers = []maker{
	{"git", "branch", nil, []string{"-f", "--force", "-d", "-D", "-m", "-M", "--delete"}, "", "git branch try-1"},
	{"git", "checkout", []string{"-b", "--orphan"}, nil, "-b", "git checkout -b try-1"},
	{"git", "switch", []string{"-c", "--create"}, nil, "-c", "git switch -c try-1"},
	{"git", "tag", nil, []string{"-f", "--force", "-d", "--delete"}, "", "git tag try-1"},
	{"mkdir", "", nil, []string{"-p", "--parents"}, "", "mkdir /srv/try-1"},
	{"createdb", "", nil, nil, "", "createdb try-1"},
	{"docker", "volume create", nil, nil, "", "docker volume create try-1"},
	{"docker", "network create", nil, nil, "", "docker network create try-1"},
	{"docker", "run", []string{"--name"}, nil, "--name", "docker run --name try-1 alpine"},
	{"docker", "create", []string{"--name"}, nil, "--name", "docker create --name try-1 alpine"},
	{"kubectl", "create", nil, []string{"--dry-run", "-f", "--filename"}, "", "kubectl create namespace try-1"},
	{"kubectl", "run", nil, []string{"--dry-run"}, "", "kubectl run try-1 --image=alpine"},
	{"oc", "create", nil, []string{"--dry-run", "-f"}, "", "oc create namespace try-1"},
	{"aws", "s3 mb", nil, nil, "", "aws s3 mb s3://try-1"},
	{"gsutil", "mb", nil, nil, "", "gsutil mb gs://try-1"},
	{"terraform", "workspace new", nil, nil, "", "terraform workspace new try-1"},
	{"gh", "repo create", nil, nil, "", "gh repo create try-1"},
	{"gh", "release create", nil, nil, "", "gh release create try-1"},
	{"useradd", "", nil, nil, "", "useradd try-1"},
	{"adduser", "", nil, nil, "", "adduser try-1"},
}

// makesOf returns what a command makes.
func makesOf(name string, rest []string) []Made {
	i := slices.IndexFunc(makers, func(m maker) bool {
		return m.name == name && (command{sub: strings.Fields(m.sub), flags: m.flags}).fits(rest) && !has(rest, m.unless)
	})
	if i < 0 {
		return nil
	}
	m, operands := makers[i], operandsOf(rest)
	object := ""
	if m.named != "" {
		object = valueOf(rest, append(m.flags, m.named)...)
	} else if sub := len(strings.Fields(m.sub)); len(operands) > sub {
		object = operands[len(operands)-1]
	}
	if object == "" {
		return nil
	}
	return []Made{{object, slices.DeleteFunc(operands, func(o string) bool { return o == object })}}
}

// makingVerbs begin the names of tools that make something new.
var makingVerbs = strings.Fields("create new provision clone fork make")

// makes returns what a tool makes that is told by its name.
func (r *reading) makes(words []string) []Made {
	if len(words) == 0 || !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(makingVerbs, w) }) {
		return nil
	}
	one := Made{}
	var names []string
	for _, a := range r.arguments {
		switch {
		case a.isFree() && a.key != "title" || a.exact:
		case a.key == "name" || a.key == "title" || a.key == "slug" || a.key == "branch" || a.key == "newbranch" || a.key == "path" || a.key == "bucket" || a.key == "filename":
			names = append(names, a.text)
		default:
			one.Beside = append(one.Beside, a.text)
		}
	}
	all := []Made{one}
	for _, n := range names {
		all = append(all, Made{n, one.Beside})
	}
	return all
}

// makesTable returns the object of a statement that makes one and fails where it is there already.
func makesTable(words string, names []Value) []Made {
	rest, is := strings.CutPrefix(words, "create ")
	if !is || len(names) == 0 || strings.HasPrefix(rest, "or replace") || strings.Contains(rest, "if not exists") {
		return nil
	}
	return []Made{{Object: names[0].Text}}
}

// besideObjects are operands of every such command that name no object.
var besideObjects = strings.Fields("origin upstream namespace ns")

// IsOf reports whether every object of an effect is one that was made.
func (e Effect) IsOf(made []Made) bool {
	found := false
	for _, v := range e.Deciding {
		switch {
		case slices.ContainsFunc(made, func(m Made) bool { return isObject(v.Text, m.Object) }):
			found = true
		case slices.Contains(besideObjects, v.Text), isVerb()(v.Text):
		case slices.ContainsFunc(made, func(m Made) bool { return slices.Contains(m.Beside, v.Text) }):
		default:
			return false
		}
	}
	return found
}

// isObject reports whether a value names an object, or a file below it.
func isObject(value, object string) bool {
	return object != "" && (strings.EqualFold(value, object) || strings.Contains(object, "/") && below(value, object))
}
