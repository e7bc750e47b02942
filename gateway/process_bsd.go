//go:build unix && !linux

package gateway

import (
	"os/exec"
	"syscall"
)

// owned puts a process into a group of its own.
func owned(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
