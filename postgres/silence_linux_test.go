package postgres

import (
	"net"
	"syscall"
	"testing"
)

// A connection on which nothing is acknowledged is broken after a while, however often TCP would send again.
func TestSilentConnectionsBreak(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := config("postgres://ann@db.example.org/ctx")
	if err != nil {
		t.Fatal(err)
	}
	made, err := c.DialFunc(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	raw, err := made.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.Control(func(fd uintptr) {
		if got, err := syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout); err != nil || got != 30_000 {
			t.Errorf("data stays without an acknowledgement for %d ms, %v, want 30000", got, err)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if c.ConnectTimeout != patience {
		t.Errorf("a connection may take %s, want %s", c.ConnectTimeout, patience)
	}
}
