package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// server is a process that speaks MCP on stdio, a line a message. The client is as plain as it can be: its own work is no part of a figure.
type server struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	last int
}

func start(binary string, args ...string) (*server, error) {
	s := &server{cmd: exec.Command(binary, args...)}
	s.cmd.Env = append(os.Environ(), "CTX_MCP_LOG_LEVEL=error", "CTX_MCP_LIMITS_CALL_TIMEOUT=5m")
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.in, s.out = in, bufio.NewReaderSize(out, 1<<20)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	_, err = s.ask("initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "wire", "version": "1"}})
	if err == nil {
		_, err = io.WriteString(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

// stop ends the input, on which the server ends.
func (s *server) stop() error {
	_ = s.in.Close() // the process ends either way
	return s.cmd.Wait()
}

// ask sends a request and returns the result. An error of the protocol and of a tool is one.
func (s *server) ask(method string, params any) (json.RawMessage, error) {
	message, err := request(&s.last, method, params)
	if err != nil {
		return nil, err
	}
	result, _, err := s.send(message)
	return result, err
}

// send writes a message that was encoded before and returns the result, and the time from the write until the answer was there.
func (s *server) send(message []byte) (json.RawMessage, time.Duration, error) {
	began := time.Now()
	if _, err := s.in.Write(message); err != nil {
		return nil, 0, err
	}
	for {
		line, err := s.out.ReadBytes('\n')
		took := time.Since(began)
		if err != nil {
			return nil, 0, err
		}
		var f struct {
			ID     json.RawMessage
			Method string
			Result json.RawMessage
			Error  json.RawMessage
		}
		if err := json.Unmarshal(line, &f); err != nil {
			return nil, 0, err
		}
		switch {
		case f.Method != "": // a notification
			continue
		case f.Error != nil:
			return nil, 0, fmt.Errorf("error: %s", f.Error)
		case strings.Contains(string(f.Result), `"isError":true`):
			return nil, 0, fmt.Errorf("error: %.400s", f.Result)
		}
		return f.Result, took, nil
	}
}

// request encodes a request with the next id.
func request(last *int, method string, params any) ([]byte, error) {
	*last++
	message, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": *last, "method": method, "params": params})
	return append(message, '\n'), err
}

// call encodes the call of a tool.
func (s *server) call(tool string, arguments map[string]any) ([]byte, error) {
	return request(&s.last, "tools/call", map[string]any{"name": tool, "arguments": arguments})
}

// timed makes a call and returns how many milliseconds the answer took.
func (s *server) timed(tool string, arguments map[string]any) (float64, error) {
	message, err := s.call(tool, arguments)
	if err != nil {
		return 0, err
	}
	_, took, err := s.send(message)
	return ms(took), err
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }
