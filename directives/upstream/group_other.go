//go:build !unix

package upstream

import "os/exec"

// ownGroup does nothing: there are no groups of processes. A process that the server starts may outlive it.
func ownGroup(*exec.Cmd) {}

func endGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // it may have ended
