package effect

import (
	"path"
	"slices"
	"strings"
)

// placeOf returns the class of a path in the table, "" for one that means nothing there.
func placeOf(text string) Class {
	segments := segmentsOf(text)
	for _, p := range placeTable() {
		if p.matches(segments) {
			return p.class
		}
	}
	return ""
}

// segmentsOf returns the parts of a path, in lower case.
func segmentsOf(text string) []string {
	text = strings.TrimPrefix(strings.Trim(strings.ToLower(text), `"'`), "file://")
	return strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == '\\' })
}

// matches reports whether the path ends with the segments of the row, or has them with something below.
func (p place) matches(segments []string) bool {
	for i := range segments {
		end := i + len(p.segments)
		if end > len(segments) || !p.below && end != len(segments) || p.below && end == len(segments) && i == 0 && len(segments) > 1 {
			continue
		}
		if p.at(segments[i:end]) {
			return true
		}
	}
	return false
}

func (p place) at(segments []string) bool {
	for i, s := range p.segments {
		if p.plain[i] {
			if s != segments[i] {
				return false
			}
		} else if ok, err := path.Match(s, segments[i]); err != nil || !ok {
			return false
		}
	}
	return true
}

// IsSecret reports whether a path is one where secrets are kept.
func IsSecret(text string) bool { return placeOf(text) == secret }

// isPath reports whether a word of a command looks like a path.
func isPath(w string) bool {
	return strings.ContainsAny(w, `/\`) && !strings.Contains(w, "://") || strings.HasPrefix(w, ".") || strings.HasPrefix(w, "~") ||
		path.Ext(w) != "" && !strings.Contains(w, "@") && len(path.Ext(w)) < 7
}

// outside reports whether a path lies outside of the workspace: of the folder that the agent works in where it is known, and else as far as the
// path tells. Files for the moment, below a folder of such, are of no workspace, and count as inside.
func (r *reading) outside(w string) bool {
	w = strings.ReplaceAll(strings.TrimPrefix(strings.Trim(w, `"'`), "file://"), `\`, "/")
	folder := path.Clean(strings.ReplaceAll(r.call.Folder, `\`, "/"))
	absolute := strings.HasPrefix(w, "/") || len(w) > 2 && w[1] == ':' && w[2] == '/'
	if r.call.Folder == "" || isTemporary(w) || !absolute && !strings.HasPrefix(path.Clean(w), "..") {
		return outside(w)
	}
	if !absolute {
		w = path.Join(folder, w)
	}
	return !below(w, folder)
}

// below reports whether a path is a folder or below it. Case does not tell two paths apart.
func below(w, folder string) bool {
	w, folder = strings.ToLower(path.Clean(w)), strings.ToLower(folder)
	return w == folder || strings.HasPrefix(w, strings.TrimSuffix(folder, "/")+"/")
}

// IsTemporary reports whether a path names something in a folder of files for the moment.
func IsTemporary(path string) bool { return isTemporary(path) }

// isTemporary reports whether a path names something in a folder of files for the moment.
func isTemporary(w string) bool {
	clean := path.Clean(strings.ToLower(w))
	return slices.Contains(idleDevices, clean) || slices.ContainsFunc([]string{"/tmp/", "/var/tmp/", "/dev/shm/", "/dev/fd/", "$tmpdir/"}, func(folder string) bool {
		return strings.HasPrefix(clean, folder) && clean != folder+"*"
	})
}

// idleDevices are devices that keep no data, or where a program writes anyway (null(4), full(4), random(4), tty(4), proc(5)). Any other
// device is a disk, or another part of the machine.
var idleDevices = strings.Fields("/dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/stdin /dev/stdout /dev/stderr /dev/tty")

// outside reports whether a path lies outside of the workspace, as far as it tells: in the home folder itself, in a folder of the system,
// above the workspace, or everything. A path that has the workspace in its front is not told from another user's: it counts as inside.
func outside(w string) bool {
	w = strings.Trim(w, `"'`)
	lower := strings.ToLower(strings.ReplaceAll(w, `\`, "/"))
	clean := path.Clean(lower)
	switch {
	case w == "", slices.Contains(idleDevices, clean), strings.HasPrefix(clean, "/dev/shm/"), strings.HasPrefix(clean, "/dev/fd/"), strings.HasPrefix(lower, "/tmp/"), strings.HasPrefix(lower, "$tmpdir"), strings.HasPrefix(lower, "/var/tmp/"):
		return false
	case clean == "~" || clean == "$home" || clean == "/" || clean == "/*" || clean == "~/*" || clean == "..":
		return true
	case strings.HasPrefix(clean, "../..") || len(clean) > 1 && clean[1] == ':' && strings.Count(clean, "/") < 2:
		return true
	case strings.HasPrefix(clean, "~/"), strings.HasPrefix(clean, "$home/"):
		return strings.Count(clean, "/") < 2 || strings.HasPrefix(path.Base(clean), ".") || strings.Contains(clean, "/.")
	case strings.HasPrefix(clean, "/home/"), strings.HasPrefix(clean, "/users/"), strings.HasPrefix(clean, "/root"):
		return strings.Count(clean, "/") < 3 || strings.Contains(clean, "/.ssh") || strings.Contains(clean, "/.config")
	}
	for _, folder := range []string{"/etc", "/usr", "/bin", "/sbin", "/lib", "/boot", "/var", "/opt", "/srv", "/dev", "/sys", "/proc", "c:/windows", "c:/program files"} {
		if clean == folder || strings.HasPrefix(clean, folder+"/") {
			return true
		}
	}
	return false
}
