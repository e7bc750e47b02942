package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// projectsFile holds the projects of folders and repositories, in the data directory. It can be removed: adoptions are then forgotten, and the rest
// found anew.
const projectsFile = "projects.json"

// places are the projects of one user's folders and repositories.
type places struct {
	Folders      map[string]folderPlace `json:"folders"`      // by the project id of the folder's path
	Repositories map[string]string      `json:"repositories"` // project by the id of the repository
}

// folderPlace is the project of a folder.
type folderPlace struct {
	Repository string `json:"repository,omitempty"` // that it was a clone of; "": of none
	Project    string `json:"project"`
	// Adopted tells that a person chose the project; Was and RepositoryWas are the projects before, for the undo.
	Adopted       bool   `json:"adopted,omitempty"`
	Was           string `json:"was,omitempty"`
	RepositoryWas string `json:"repository_was,omitempty"`
}

// projects tells which project a folder is. A folder that has memories of its own under the id of its path keeps it, so that nothing is lost; every other
// clone of its repository then is the same project, wherever it is. A folder without a remote is known by its path.
type projects struct {
	mu sync.Mutex // the file has a lock against other processes
}

// projectOf returns the configured project, else that of a folder.
func (a *app) projectOf(dir string) string {
	if a.config.Project != "" || dir == "" {
		return a.config.Project
	}
	id, err := a.resolve(a.life, dir)
	if err != nil {
		a.logger.Warn("the project of the folder is told by its path alone", "file", projectsFile, "error", err)
		return config.ProjectOf(dir)
	}
	return id
}

// resolve returns the project of a folder, and notes it down.
func (a *app) resolve(ctx context.Context, dir string) (string, error) {
	path, repository := config.ProjectOf(dir), config.RepositoryOf(dir)
	if path == "" {
		return "", nil
	}
	var id string
	err := a.changePlaces(func(p *places) (changed bool, err error) {
		at, known := p.Folders[path]
		switch {
		case known && at.Repository == repository:
			id = at.Project
			return false, nil
		case repository == "":
			id = path
			return false, nil
		case known && at.Adopted && at.Repository == "":
			at.Repository, id = repository, at.Project // a remote was added
		default:
			at = folderPlace{Repository: repository}
			if id, err = a.projectOfClone(ctx, p, path, repository, !known); err != nil {
				return false, err
			}
		}
		at.Project = id
		p.Folders[path] = at
		return true, nil
	})
	return id, err
}

// projectOfClone decides for a folder with a remote that was not seen before. One whose path was that of another repository gets none of its memories.
func (a *app) projectOfClone(ctx context.Context, p *places, path, repository string, fresh bool) (string, error) {
	own, err := a.holds(ctx, path)
	if err != nil {
		return "", err
	}
	named := p.Repositories[repository]
	switch {
	case fresh && own:
		others, err := a.holds(ctx, repository)
		if err == nil && named == "" && !others {
			p.Repositories[repository] = path
		}
		return path, err
	case named != "":
		return named, nil
	}
	return repository, nil
}

// holds reports whether the user has memories in the project, ended ones too.
func (a *app) holds(ctx context.Context, project string) (bool, error) {
	page, err := a.memory.Browse(ctx, a.config.Person(), memory.Browsing{Project: project, EveryVersion: true, Limit: 1})
	return page.Held > 0, err
}

// changePlaces reads the user's places, lets them be changed, and writes them if they were. Under read_only nothing is written.
func (a *app) changePlaces(change func(*places) (bool, error)) (err error) {
	a.projects.mu.Lock()
	defer a.projects.mu.Unlock()
	file := filepath.Join(a.config.DataDir, projectsFile)
	all, err := readPlaces(file)
	if err != nil {
		return err
	}
	if changed, err := change(a.placesIn(all)); err != nil || !changed || a.config.ReadOnly {
		return err
	}
	lock := flock.New(file + ".lock") // and once more, as it is now
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("lock %s: %w", projectsFile, err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if all, err = readPlaces(file); err != nil {
		return err
	}
	if changed, err := change(a.placesIn(all)); err != nil || !changed {
		return err
	}
	return writeWhole(file, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(all)
	})
}

// readPlaces reads the places of every user, by tenant and user.
func readPlaces(file string) (map[string]*places, error) {
	all := map[string]*places{}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s cannot be read", file).WithCause(err).WithHint("mend it, or remove it: folders are then known by their paths and remotes again")
	}
	return all, nil
}

// placesIn returns the places of the configured user.
func (a *app) placesIn(all map[string]*places) *places {
	who := a.config.Tenant + "/" + a.config.User
	if all[who] == nil {
		all[who] = &places{}
	}
	p := all[who]
	if p.Folders == nil {
		p.Folders = map[string]folderPlace{}
	}
	if p.Repositories == nil {
		p.Repositories = map[string]string{}
	}
	return p
}
