package release

import "slices"

// Target is a platform that the product is built for.
type Target struct {
	OS, Arch string // as Go calls them
	Compiler string // C compiler of a static build with the SQLite of C, by its usual name; "": SQLite translated to Go
	Flags    string // of the linker, beside those of every build
}

// Targets lists the platforms. Those without a C compiler that crosses to them take SQLite translated to Go.
func Targets() []Target { return slices.Clone(targets) }

var targets = []Target{
	{"linux", "amd64", "musl-gcc", `-linkmode external -extldflags -static`},
	{"linux", "arm64", "aarch64-linux-gnu-gcc", `-linkmode external -extldflags -static`},
	{"windows", "amd64", "x86_64-w64-mingw32-gcc", `-linkmode external -extldflags -static`},
	{"darwin", "arm64", "", ""},
	{"darwin", "amd64", "", ""},
	{"windows", "arm64", "", ""},
}

// Name is the target in the names of files: linux-amd64.
func (t Target) Name() string { return t.OS + "-" + t.Arch }

// Binary is the name of the program on the target.
func (t Target) Binary() string {
	if t.OS == "windows" {
		return "ctx-mcp.exe"
	}
	return "ctx-mcp"
}

// node returns the platform and the processor as Node.js calls them.
func (t Target) node() (platform, cpu string) {
	platform, cpu = t.OS, t.Arch
	if t.OS == "windows" {
		platform = "win32"
	}
	if t.Arch == "amd64" {
		cpu = "x64"
	}
	return platform, cpu
}

// Tags are the build tags of the target.
func (t Target) Tags() string {
	if t.Compiler == "" {
		return "sqlite_pure"
	}
	return "sqlite_fts5 netgo osusergo"
}
