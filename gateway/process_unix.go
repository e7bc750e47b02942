//go:build unix

package gateway

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

func termGroup(group int) { _ = syscall.Kill(-group, syscall.SIGTERM) } // it may have ended

func killGroup(group int) { _ = syscall.Kill(-group, syscall.SIGKILL) } // it may have ended

// lookPath finds a program in the folders of a PATH that is not this process's.
func lookPath(name, path string) (string, error) {
	for _, dir := range filepath.SplitList(path) {
		if found := filepath.Join(dir, name); executable(found) {
			return found, nil
		}
	}
	return "", exec.ErrNotFound
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// apart puts a process into a session of its own: what ends the group of this one does not end it.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
