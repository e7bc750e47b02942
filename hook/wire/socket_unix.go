//go:build linux || darwin

package wire

import (
	"os"
	"runtime"
	"strconv"
	"syscall"
)

// maxPath is how long the path of a socket can be on every platform, in bytes.
const maxPath = 100

// Path returns the path of the socket in a data directory, and a function to call when it is no longer used. If the path is longer than
// the platform allows, it leads through the descriptor of the directory.
func Path(dir string) (path string, done func()) {
	path = dir + "/" + SocketName
	if len(path) <= maxPath || runtime.GOOS != "linux" {
		return path, func() {}
	}
	d, err := os.Open(dir)
	if err != nil {
		return path, func() {}
	}
	return "/proc/self/fd/" + strconv.Itoa(int(d.Fd())) + "/" + SocketName, func() { _ = d.Close() }
}

// patience is how long an answer may take, in seconds. It is more than the server gives itself.
const patience = 30

// Relay sends an event to the server of a data directory and returns its answer; false where nobody answers.
func Relay(dir string, fields ...[]byte) ([][]byte, bool) {
	path, done := Path(dir)
	defer done()
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, false
	}
	syscall.CloseOnExec(fd)
	limit := syscall.Timeval{Sec: patience}
	c := conn(fd)
	defer func() { _ = syscall.Close(fd) }()
	if syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &limit) != nil ||
		syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_SNDTIMEO, &limit) != nil ||
		syscall.Connect(fd, &syscall.SockaddrUnix{Name: path}) != nil || Write(c, fields...) != nil {
		return nil, false
	}
	answer, err := Read(c, AnswerFields)
	return answer, err == nil
}

// conn is a connected socket.
type conn int

func (c conn) Read(p []byte) (int, error) {
	for {
		n, err := syscall.Read(int(c), p)
		if err == syscall.EINTR {
			continue
		}
		if n == 0 && err == nil && len(p) > 0 {
			return 0, errForm // it ended
		}
		return max(n, 0), err
	}
}

func (c conn) Write(p []byte) (int, error) {
	done := 0
	for done < len(p) {
		n, err := syscall.Write(int(c), p[done:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}
