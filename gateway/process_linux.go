package gateway

import (
	"os/exec"
	"runtime"
	"syscall"
)

// owned puts a process into a group of its own, and has it killed when this one dies.
func owned(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// lockThread keeps the thread of the goroutine alive: the signal comes when the thread that started the process ends.
func lockThread() (unlock func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
