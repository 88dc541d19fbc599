package config

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
)

const (
	presetsKind  = "presets"
	presetSuffix = ".yaml"
	maxPresets   = 500 // read from one folder

	// presetsTime bounds reading all of them: somebody else's folder may hold what takes long.
	presetsTime = 5 * time.Second
)

// ErrNoPreset means that there is no preset of that name.
var ErrNoPreset = errors.New("there is no such preset")

// checkPresetName checks the name of a preset, which is also a file name.
func checkPresetName(name string) error {
	bad := len(name) > 60
	for i, r := range name {
		ok := unicode.IsLetter(r) || unicode.IsDigit(r) || i > 0 && (r == '-' || r == '_' || r == '.')
		bad = bad || !ok
	}
	if name == "" || bad {
		return fmt.Errorf("preset name %q: letters, digits, - _ and . are allowed, up to 60 bytes, a letter or a digit first", client.CleanLine(name))
	}
	return nil
}

// Presets are all presets by name; of two of the same name the project's comes before the person's
// own. Files that cannot be read as presets are included, with the reason; so are those for which
// there is no time left, once ctx or the time for a listing is over.
func (f Folders) Presets(ctx context.Context, c *catalog.Catalog) ([]expand.PresetFile, error) {
	ctx, stop := context.WithTimeout(ctx, presetsTime)
	defer stop()
	byName := map[string]expand.PresetFile{}
	for _, project := range []bool{false, true} {
		names, err := f.names(project)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			p := f.listed(ctx, name, project, c)
			p.Hides = byName[name].Path
			byName[name] = p
		}
	}
	out := make([]expand.PresetFile, 0, len(byName))
	for _, p := range byName {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b expand.PresetFile) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// listed is a preset as it appears in a listing.
func (f Folders) listed(ctx context.Context, name string, project bool, c *catalog.Catalog) expand.PresetFile {
	if ctx.Err() != nil {
		return expand.PresetFile{Preset: expand.Preset{Name: name}, Path: f.presetPath(name, project), Project: project,
			Err: fmt.Errorf("not read: the presets are too many or too large (%w)", ctx.Err())}
	}
	p, _ := f.read(name, project, c)
	return p
}

func (f Folders) presetPath(name string, project bool) string {
	return filepath.Join(f.Path(presetsKind, project), name+presetSuffix)
}

// names are the names of the presets in a folder.
func (f Folders) names(project bool) ([]string, error) {
	root, err := f.open(presetsKind, project)
	if root == nil {
		return nil, f.told(project, err)
	}
	defer func() { _ = root.Close() }()
	dir, err := root.Open(".")
	if err != nil {
		return nil, f.told(project, err)
	}
	defer func() { _ = dir.Close() }()
	entries, err := dir.ReadDir(maxPresets)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, f.told(project, err)
	}
	var out []string
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), presetSuffix)
		if ok && checkPresetName(name) == nil && !e.IsDir() {
			out = append(out, name)
		}
	}
	return out, nil
}

func (f Folders) told(project bool, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the presets in %s cannot be read: %w", f.Path(presetsKind, project), err)
}

// Preset is the preset of that name, the project's before a person's own. The error wraps
// ErrNoPreset if there is none.
func (f Folders) Preset(name string, c *catalog.Catalog) (expand.PresetFile, error) {
	if err := checkPresetName(name); err != nil {
		return expand.PresetFile{}, err
	}
	own, ownErr := f.read(name, false, c)
	p, err := f.read(name, true, c)
	if errors.Is(err, ErrNoPreset) {
		return own, ownErr
	}
	if !errors.Is(ownErr, ErrNoPreset) {
		p.Hides = own.Path
	}
	return p, err
}

// read reads one file; what is wrong with it is also in the result.
func (f Folders) read(name string, project bool, c *catalog.Catalog) (p expand.PresetFile, err error) {
	p = expand.PresetFile{Preset: expand.Preset{Name: name}, Path: f.presetPath(name, project), Project: project}
	defer func() { p.Err = err }()
	root, err := f.open(presetsKind, project)
	if err != nil {
		return p, f.told(project, err)
	}
	if root == nil {
		return p, fmt.Errorf("%q: %w", name, ErrNoPreset)
	}
	defer func() { _ = root.Close() }()
	text, err := readWithin(root, name+presetSuffix, expand.MaxPreset)
	if errors.Is(err, fs.ErrNotExist) {
		return p, fmt.Errorf("%q: %w", name, ErrNoPreset)
	}
	if err != nil {
		return p, fmt.Errorf("preset %s: %w", p.Path, err)
	}
	got, err := expand.ParsePreset(name, text, c)
	if err != nil {
		return p, fmt.Errorf("%s: %w", filepath.Dir(p.Path), err)
	}
	p.Preset = got
	return p, nil
}

// readWithin reads a regular file from a folder, at most limit bytes. It checks the file's type
// first: opening a pipe would block.
func readWithin(root *os.Root, name string, limit int64) (string, error) {
	if err := regular(root, name); err != nil {
		return "", err
	}
	file, err := root.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	b, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return "", err
	}
	if int64(len(b)) > limit {
		return "", fmt.Errorf("more than %d bytes", limit)
	}
	return string(b), nil
}

func regular(root *os.Root, name string) error {
	info, err := root.Stat(name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is not a file")
	}
	return nil
}

// Draft is the preset's draft for a modality, with its references as they are sent. A path is
// relative to the preset's folder and stays inside it, links followed. A project's preset can name
// no other file; a person's own can, by a file:// address.
func (f Folders) Draft(p expand.PresetFile, m client.Modality, c *catalog.Catalog) (client.Draft, error) {
	return p.For(m, c, func(s string) (string, error) {
		root, err := f.open(presetsKind, p.Project)
		if err != nil {
			return "", err
		}
		if root == nil {
			return "", fs.ErrNotExist
		}
		defer func() { _ = root.Close() }()
		if strings.HasPrefix(strings.ToLower(s), "file:") {
			return outside(p, s)
		}
		if !filepath.IsLocal(s) {
			return "", fmt.Errorf("%q leads out of the preset's folder", client.CleanLine(s))
		}
		if err := regular(root, s); err != nil {
			return "", fmt.Errorf("%q: %w", client.CleanLine(s), err)
		}
		return client.FileURL(filepath.Join(f.Path(presetsKind, p.Project), s)), nil
	})
}

// outside is a file anywhere on the machine, which only a person's own preset may name.
func outside(p expand.PresetFile, s string) (string, error) {
	path, ok := client.FilePath(s)
	switch {
	case p.Project:
		return "", fmt.Errorf("%q: a preset of a project names files of its own folder only", client.CleanLine(s))
	case !ok || filepath.Clean(path) != path:
		return "", fmt.Errorf("%q is not a file:// address with an absolute path", client.CleanLine(s))
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%q is not a file", client.CleanLine(path))
	}
	return client.FileURL(path), nil
}
