package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ctx-mcp/ctx-mcp/console"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// upkeepFile notes in the data directory, or in the database that several machines serve, when memories were last looked over for those that have
// had their time.
const upkeepFile = "upkeep.json"

// upkeepNote is its content.
type upkeepNote struct {
	At      time.Time `json:"at"`
	Retired int       `json:"retired"`
}

// noteUpkeep notes that memories were looked over. A note that cannot be written costs nothing but itself.
func (a *app) noteUpkeep(s memory.Swept) {
	raw, err := json.Marshal(upkeepNote{a.sys.now().UTC(), s.Total()})
	if shared := a.store.Facts(); shared != nil && err == nil {
		err = shared.Set(a.life, upkeepFile, string(raw))
	} else if err == nil {
		err = os.WriteFile(filepath.Join(a.config.DataDir, upkeepFile), raw, 0o600)
	}
	if err != nil {
		a.logger.Warn("the upkeep is not noted", "error", err)
	}
}

// lastUpkeep says when memories were last looked over, by a server or by gc.
func (a *app) lastUpkeep() console.Line {
	line := console.Line{Name: "last upkeep", Text: "none yet: a server does it by itself, and ctx-mcp gc at once"}
	raw, err := a.readUpkeep()
	if errors.Is(err, fs.ErrNotExist) {
		return line
	}
	var n upkeepNote
	if err != nil || json.Unmarshal(raw, &n) != nil {
		line.Text = "its note cannot be read; the next one replaces it"
		return line
	}
	line.Text = fmt.Sprintf("%s, %d memories retired", n.At.Format("2006-01-02 15:04"), n.Retired)
	return line
}

// readUpkeep reads the note. It returns fs.ErrNotExist if there is none.
func (a *app) readUpkeep() ([]byte, error) {
	shared := a.store.Facts()
	if shared == nil {
		return os.ReadFile(filepath.Join(a.config.DataDir, upkeepFile))
	}
	text, err := shared.Fact(a.life, upkeepFile)
	if err == nil && text == "" {
		err = fs.ErrNotExist
	}
	return []byte(text), err
}
