// Command make builds the product for the platforms of the table, and writes the files of a release.
package main

import (
	"context"
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp/release"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	m := maker{}
	flag.StringVar(&m.out, "out", "out/dist", "folder of the files")
	flag.StringVar(&m.version, "version", "", "version of the release")
	flag.StringVar(&m.base, "base", "", "address under which the files will be found; default that of the release on GitHub")
	flag.StringVar(&m.key, "key", "", "private key, Ed25519 in PEM, that signs the digests; none: they are not signed")
	flag.StringVar(&m.certificates, "certificates", "/etc/ssl/certs/ca-certificates.crt", "roots that the image trusts, PEM")
	flag.StringVar(&m.targets, "targets", "", "platforms, separated by commas; default all whose compiler is installed")
	flag.Parse()
	if err := m.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "make:", err)
		stop()
		os.Exit(1)
	}
}

// maker is one run.
type maker struct {
	out, version, base, key, certificates, targets string
}

func (m maker) run(ctx context.Context) error {
	p, err := m.product(ctx)
	if err != nil {
		return err
	}
	targets, err := m.chosen()
	if err != nil {
		return err
	}
	var built []release.Built
	for _, t := range targets {
		b, err := m.build(ctx, t, p)
		if err != nil {
			return err
		}
		built = append(built, b)
	}
	all, err := release.Make(p, built)
	if err != nil {
		return err
	}
	if m.key != "" {
		key, err := os.ReadFile(m.key)
		if err != nil {
			return fmt.Errorf("key: %w", err)
		}
		signature, public, err := release.Sign(all[len(all)-1], key)
		if err != nil {
			return err
		}
		all = append(all, signature, public)
	}
	for _, a := range all {
		if err := os.WriteFile(filepath.Join(m.out, a.Name), a.Body, 0o644); err != nil {
			return fmt.Errorf("write %s: %w", a.Name, err)
		}
		fmt.Printf("%9d  %s\n", len(a.Body), a.Name)
	}
	return nil
}

// chosen returns the targets to build. One that was named must have its compiler; else those without are told and left out.
func (m maker) chosen() (list []release.Target, err error) {
	named := strings.FieldsFunc(m.targets, func(r rune) bool { return r == ',' || r == ' ' })
	for _, t := range release.Targets() {
		if len(named) > 0 && !slices.Contains(named, t.Name()) {
			continue
		}
		if _, err := exec.LookPath(t.Compiler); t.Compiler != "" && err != nil {
			if len(named) > 0 {
				return nil, fmt.Errorf("%s needs the compiler %s, which is not installed", t.Name(), t.Compiler)
			}
			fmt.Fprintf(os.Stderr, "make: LEFT OUT %s: the compiler %s is not installed\n", t.Name(), t.Compiler)
			continue
		}
		list = append(list, t)
	}
	if len(list) == 0 {
		return nil, errors.New("there is no platform to build for")
	}
	return list, nil
}

// build compiles the product for a target. The paths of the machine, the time and the state of the work tree stay out of the binary.
func (m maker) build(ctx context.Context, t release.Target, p release.Product) (release.Built, error) {
	path := filepath.Join(m.out, "bin", t.Name(), t.Binary())
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-tags", t.Tags(),
		"-ldflags", strings.TrimSpace("-s -w -buildid= -X main.version="+p.Version+" "+t.Flags), "-o", path, "./cmd/ctx-mcp")
	cmd.Env = append(os.Environ(), "GOOS="+t.OS, "GOARCH="+t.Arch, "GOFLAGS=", "CGO_ENABLED=0")
	if t.Compiler != "" {
		cmd.Env = append(cmd.Env, "CGO_ENABLED=1", "CC="+t.Compiler)
	}
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return release.Built{}, fmt.Errorf("build %s: %w", t.Name(), err)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		return release.Built{}, fmt.Errorf("read what was built for %s: %w", t.Name(), err)
	}
	modules, err := buildinfo.ReadFile(path)
	return release.Built{Target: t, Program: body, Modules: modules}, err
}

// manual has the product of this machine write its manual pages.
func (m maker) manual(ctx context.Context) (map[string][]byte, error) {
	folder, err := os.MkdirTemp("", "manual-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	cmd := exec.CommandContext(ctx, "go", "run", "-trimpath", "-tags", "sqlite_fts5", "-ldflags", "-X main.version="+strings.TrimPrefix(m.version, "v"), "./cmd/ctx-mcp", "man", folder)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("write the manual: %w", err)
	}
	pages := map[string][]byte{}
	files, err := os.ReadDir(folder)
	for _, f := range files {
		text, failed := os.ReadFile(filepath.Join(folder, f.Name()))
		if pages[f.Name()] = text; failed != nil {
			return nil, failed
		}
	}
	return pages, err
}

// semantic matches the versions that every kind of package takes.
var semantic = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$`)

func (m maker) product(ctx context.Context) (release.Product, error) {
	p := release.Product{Version: strings.TrimPrefix(m.version, "v"), Base: m.base, Documents: map[string][]byte{}}
	if !semantic.MatchString(p.Version) {
		return p, fmt.Errorf("the version %q is not of the form 1.2.3 or 1.2.3-rc.1", m.version)
	}
	if p.Base == "" {
		p.Base = "https://github.com/ctx-mcp/ctx-mcp/releases/download/v" + p.Version
	}
	for _, name := range []string{"LICENSE", "NOTICE", "README.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return p, err
		}
		p.Documents[name] = text
	}
	var err error
	if p.Manual, err = m.manual(ctx); err != nil {
		return p, err
	}
	if p.Certificates, err = os.ReadFile(m.certificates); err != nil {
		return p, fmt.Errorf("certificates: %w", err)
	}
	for _, t := range tools.Select(tools.Options{Toolsets: []tools.Toolset{tools.AgentProfile}}) {
		first, _, _ := strings.Cut(t.MCP.Description, ". ")
		p.Tools = append(p.Tools, release.Described{Name: t.Name, Description: strings.TrimSuffix(first, ".") + "."})
	}
	p.Time, err = committed(ctx)
	return p, err
}

// committed returns the time of the commit, or the one that SOURCE_DATE_EPOCH names, for a tree without git.
func committed(ctx context.Context) (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		out, err := exec.CommandContext(ctx, "git", "log", "-1", "--format=%ct").Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("the time of the commit: %w; SOURCE_DATE_EPOCH names one", err)
		}
		text = string(out)
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return time.Unix(seconds, 0), err
}
