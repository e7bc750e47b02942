//go:build !windows

package main

import "syscall"

// detached returns the attributes of a process that a signal to this one's group does not reach.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
