package config

import (
	"bufio"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// RepositoryOf returns the project id of the repository that the folder is a clone of: the name in the address of its remote, and a digest of the address,
// which is the same however the address is written (ssh or https, with or without a user, a token or .git). It returns "" for a folder without a remote on
// another machine, and for one that has several and no origin.
func RepositoryOf(dir string) string {
	address := remoteAddress(gitConfig(WorkTree(dir)))
	if address == "" {
		return ""
	}
	name := slug(path.Base(address))
	if name == "" {
		name = "project"
	}
	return name + "-" + ctxmcp.Digest("git:" + address)[:16] // a repository can be named by anybody: its digest must not be found by trying
}

// gitConfig returns the configuration file of the repository that a work tree belongs to, or "".
func gitConfig(top string) string {
	if top == "" {
		return ""
	}
	entry := filepath.Join(top, ".git")
	if info, err := os.Stat(entry); err != nil || info.IsDir() {
		return filepath.Join(entry, "config")
	}
	text, err := os.ReadFile(entry)
	target, linked := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !linked {
		return ""
	}
	target = within(top, target)
	if common, err := os.ReadFile(filepath.Join(target, "commondir")); err == nil { // a linked work tree shares it
		target = within(target, strings.TrimSpace(string(common)))
	}
	return filepath.Join(target, "config")
}

func within(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// remoteAddress returns the address of the remote origin, or of the only one, in one form, or "".
func remoteAddress(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	remotes, section := map[string]string{}, ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			section = ""
			if name, ok := strings.CutPrefix(line, `[remote "`); ok {
				section, _, _ = strings.Cut(name, `"]`)
			}
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if section != "" && strings.EqualFold(strings.TrimSpace(key), "url") && remotes[section] == "" {
			remotes[section] = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	if origin := remotes["origin"]; origin != "" || len(remotes) != 1 {
		return oneAddress(origin)
	}
	for _, only := range remotes {
		return oneAddress(only)
	}
	return ""
}

// defaultPorts are those that an address need not name, by scheme.
var defaultPorts = map[string]string{"https": "443", "http": "80", "ssh": "22", "git": "9418", "git+ssh": "22", "ssh+git": "22"}

// foldedHosts are those whose paths are the same in any case.
var foldedHosts = map[string]bool{"github.com": true, "gitlab.com": true, "bitbucket.org": true}

// oneAddress writes the address of a remote as host/path, or returns "" for one on this machine. Of gitremote(5) and git-clone(1): URLs, and host:path as
// scp has it, where a path before the colon would hold a slash.
func oneAddress(remote string) string {
	var host, at string
	if scheme, _, isURL := strings.Cut(remote, "://"); isURL {
		u, err := url.Parse(remote)
		if scheme = strings.ToLower(scheme); err != nil || defaultPorts[scheme] == "" {
			return ""
		}
		host, at = strings.ToLower(u.Hostname()), u.Path
		if port := u.Port(); port != "" && port != defaultPorts[scheme] {
			host += ":" + port
		}
	} else {
		before, after, found := strings.Cut(remote, ":")
		if !found || strings.ContainsAny(before, `/\`) || len(before) < 2 || strings.HasPrefix(after, ":") { // a folder, a drive, or a helper of git's
			return ""
		}
		host, at = strings.ToLower(before[strings.LastIndex(before, "@")+1:]), after
	}
	if at = strings.TrimSuffix(strings.Trim(path.Clean("/"+at), "/"), ".git"); foldedHosts[host] {
		at = strings.ToLower(at)
	}
	if host == "" || at == "" {
		return ""
	}
	return host + "/" + at
}
