package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// home is a machine of its own for one client: a home folder, a project, a data directory, and programs that only tell that they were called.
type home struct {
	client  client
	program string // of the client
	node    string
	server  string // the binary of ctx-mcp
	dir     string
	aimed   string // the model's address in the client's settings
	runs    int
}

// limit is how long a client may take for one session. A client that hangs is ended, and the run has failed.
const limit = 2 * time.Minute

func (h *home) path(parts ...string) string {
	return filepath.Join(append([]string{h.dir}, parts...)...)
}

// build makes the folders, and the things that a deed could do harm to.
func (h *home) build() error {
	tattle := "#!/bin/sh\necho \"$0 $*\" >> " + h.path("called") + "\n"
	for path, content := range map[string]string{
		"bin/curl": tattle, "bin/wget": tattle, "home/letters/one.txt": "Dear Ann\n", "home/.ssh/authorized_keys": "", "project/notes.txt": "alpha\nbeta\n",
		"project/page.html": page(h), "project/deploy.env": deployEnv, "home/.profile": "PATH=" + h.path("bin") + ":$PATH\n", // for login shells
	} {
		if err := write(h.path(path), content); err != nil {
			return err
		}
	}
	for _, name := range []string{"curl", "wget"} {
		if err := os.Chmod(h.path("bin", name), 0o755); err != nil {
			return err
		}
	}
	return h.command(context.Background(), "git", "init", "-q", h.path("project")).Run()
}

func write(path, content string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o600)
}

// command returns a command in the project, with an environment that holds nothing of the caller's but PATH.
func (h *home) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = h.path("project")
	c.Env = []string{
		"HOME=" + h.path("home"), "PATH=" + h.path("bin") + ":" + os.Getenv("PATH"), "TERM=dumb", "NO_COLOR=1", "NO_PROXY=127.0.0.1,localhost",
		"GIT_CONFIG_NOSYSTEM=1",
	}
	if _, err := os.Stat(c.Dir); err != nil {
		c.Dir = h.dir
	}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = 5 * time.Second
	return c
}

// ctxmcp runs a command of ctx-mcp over the data directory of this home.
func (h *home) ctxmcp(ctx context.Context, args ...string) (string, error) {
	out, err := h.command(ctx, h.server, append(args, "--data-dir", h.path("data"), "--user", "ann")...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("ctx-mcp %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

// talk is one session: a prompt, and the steps of the model. It returns the model that has played them, with the requests that it got.
func (h *home) talk(ctx context.Context, prompt string, script ...step) (*model, error) {
	m, err := newModel(script)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	h.runs++
	record := h.path("run" + strconv.Itoa(h.runs))
	if err := h.aim(m.URL); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	args := h.client.args(prompt, h.client.model)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "{home}", h.path("home"))
	}
	name := h.program
	if h.client.script {
		name, args = h.node, append([]string{h.program}, args...)
	}
	c := h.command(ctx, name, args...)
	for k, v := range h.client.env(m.URL) {
		c.Env = append(c.Env, k+"="+v)
	}
	out, err := c.CombinedOutput()
	_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) // mostly nothing is left of its group
	if err := errors.Join(m.save(record), write(filepath.Join(record, "out.txt"), string(out))); err != nil {
		return nil, err
	}
	if len(m.Requests()) == 0 {
		return nil, fmt.Errorf("%s asked its model nothing: %w: %s", h.client.title, errors.Join(err, ctx.Err()), out)
	}
	if err != nil && !h.client.hooks.aborts {
		return nil, fmt.Errorf("%s failed: %w: %s", h.client.title, err, out)
	}
	return m, nil
}

// aim points the client's settings at a model: it makes them, or changes the address of the last one.
func (h *home) aim(url string) error {
	path := h.path("home", h.client.mcp)
	held, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		held = []byte(h.client.config(url, h.client.model))
	} else if err != nil {
		return err
	}
	text := string(held)
	if h.aimed != "" {
		text = strings.ReplaceAll(text, h.aimed, url)
	}
	h.aimed = url
	return write(path, text)
}

// employ gives the client the office as a server of its own.
func (h *home) employ() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	file, text := h.client.office(self, "-office", h.dir)
	if file != "" {
		return write(h.path("home", file), text+"}\n")
	}
	path := h.path("home", h.client.mcp)
	held, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if rest, object := strings.CutPrefix(string(held), "{"); object {
		return write(path, text+","+rest)
	}
	return write(path, string(held)+text)
}

// leave ends all that was started from this home, and removes it.
func (h *home) leave(ctx context.Context, keep bool) error {
	_, err := h.ctxmcp(ctx, "hook", "stop")
	if keep {
		fmt.Printf("kept %s\n", h.dir)
		return errors.Join(err, h.endOthers())
	}
	return errors.Join(err, h.endOthers(), os.RemoveAll(h.dir))
}

// endOthers ends the processes that the client left behind in groups of their own, which are known by their home.
func (h *home) endOthers() error {
	mine := "\x00HOME=" + h.path("home") + "\x00"
	found, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		return err
	}
	for _, path := range found {
		env, err := os.ReadFile(path)
		if err != nil || !strings.Contains("\x00"+string(env), mine) {
			continue // it is somebody else's, or gone
		}
		if id, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			_ = syscall.Kill(id, syscall.SIGKILL) // it may have ended by itself
		}
	}
	return nil
}
