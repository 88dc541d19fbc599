package compose

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"testing"
	"testing/fstest"

	"darkroom/client"
	"darkroom/client/expand"
)

// shelf keeps presets in memory.
type shelf struct {
	mu      sync.Mutex
	files   fstest.MapFS
	presets []expand.PresetFile
	err     error // of everything that writes
	badList error
	reading context.Context // of the last listing
	saved   []expand.Preset
	removed []string
}

func (s *shelf) Wildcards() (fs.FS, func(), error) { return s.files, func() {}, nil }

func (s *shelf) Presets(ctx context.Context) ([]expand.PresetFile, error) {
	s.reading = ctx
	return s.presets, s.badList
}

func (s *shelf) Draft(p expand.PresetFile, m client.Modality) (client.Draft, error) {
	d := p.Draft.Clone()
	d.Modality = m
	if _, bad := d.Values["reference_images"]; bad {
		return d, errors.New("preset: \"gone.png\": it is not there")
	}
	return d, nil
}

func (s *shelf) Save(p expand.Preset, project, replace bool) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return "", s.err
	}
	path := s.Folder(project) + "/" + p.Name + ".yaml"
	for i, x := range s.presets {
		if x.Name != p.Name || x.Project != project {
			continue
		}
		if !replace {
			return "", fmt.Errorf("%w: %s", expand.ErrPresetExists, path)
		}
		s.presets = append(s.presets[:i:i], s.presets[i+1:]...)
		break
	}
	s.saved = append(s.saved, p)
	s.presets = append(s.presets, expand.PresetFile{Preset: p, Path: path, Project: project})
	return path, nil
}

func (s *shelf) Remove(name string, _ bool) (string, error) {
	if s.err != nil {
		return "", s.err
	}
	for i, x := range s.presets {
		if x.Name == name {
			s.presets = append(s.presets[:i:i], s.presets[i+1:]...)
			s.removed = append(s.removed, name)
			return x.Path, nil
		}
	}
	return "", errors.New("there is no such preset")
}

func (s *shelf) Folder(project bool) string {
	if project {
		return "/projects/kites/.darkroom/presets"
	}
	return "/home/me/.config/darkroom/presets"
}

// batchBench is a screen with a shelf, and seeds that are known.
func batchBench(t testing.TB, w, h int) (*bench, *shelf) {
	t.Helper()
	s := &shelf{files: fstest.MapFS{"colour.txt": {Data: []byte("red\nblue\n{light|dark} green\n")}}}
	n := uint64(41)
	return start(t, w, h, func(d *Deps) {
		d.Shelf = s
		d.Seed = func() uint64 { n++; return n }
	}), s
}

// said are the submissions, as "prompt #seed".
func (b *bench) said() []string {
	var out []string
	for _, list := range b.jobs.got {
		for _, s := range list {
			text := s.Draft.Prompt
			if seed, ok := s.Draft.Values.Text("seed"); ok {
				text += " #" + seed
			}
			out = append(out, text)
		}
	}
	return out
}
