//go:build !unix

package upstream

import "os/exec"

// ownGroup does nothing: there are no groups of processes. What the server starts itself may outlive it.
func ownGroup(*exec.Cmd) {}

func endGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // it may have ended
