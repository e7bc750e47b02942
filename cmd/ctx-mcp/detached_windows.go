package main

import "syscall"

// detached returns the attributes of a process that does not belong to the console of this one.
func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
