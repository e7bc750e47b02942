//go:build !linux

package gateway

func lockThread() (unlock func()) { return func() {} }
