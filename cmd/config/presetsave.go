package config

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
)

// SavePreset writes a preset, readable by its owner only and whole or not at all, and returns its
// path. Files in the preset's folder become relative paths; a project's preset names no others.
// secrets are texts that must not be in it.
func (f Folders) SavePreset(p expand.Preset, project, replace bool, c *catalog.Catalog, secrets ...string) (string, error) {
	if err := checkPresetName(p.Name); err != nil {
		return "", err
	}
	dir := f.Path(presetsKind, project)
	d, err := p.For(p.Draft.Modality, c, func(s string) (string, error) { return f.relative(dir, s, project) })
	if err != nil {
		return "", err
	}
	p.Draft = d
	text, err := p.YAML(c)
	if err != nil {
		return "", err
	}
	for _, s := range secrets {
		if len(s) >= 8 && strings.Contains(text, s) {
			return "", fmt.Errorf("preset %s: the key of the gateway is in it: a preset holds none", p.Name)
		}
	}
	root, err := f.make(presetsKind, project)
	name := p.Name + presetSuffix
	path := filepath.Join(dir, name)
	if err != nil {
		return "", Unwritable(path, "written", fmt.Errorf("%s cannot be made: %w", dir, err))
	}
	defer func() { _ = root.Close() }()
	if _, err := root.Lstat(name); err == nil && !replace {
		return "", fmt.Errorf("%s: %w", path, expand.ErrPresetExists)
	}
	return path, Unwritable(path, "written", writeWithin(root, name, []byte(text)))
}

// relative is a reference in the form in which a preset in dir stores it.
func (f Folders) relative(dir, s string, project bool) (string, error) {
	path, ok := client.FilePath(s)
	if !ok { // a path already
		if !filepath.IsLocal(s) {
			return "", fmt.Errorf("%q leads out of the preset's folder", client.CleanLine(s))
		}
		return s, nil
	}
	rel, err := filepath.Rel(dir, path)
	if err == nil && filepath.IsLocal(rel) {
		return rel, nil
	}
	if project {
		return "", fmt.Errorf("%q is outside of %s: a preset of a project names files of its own folder only; put a copy there", client.CleanLine(path), dir)
	}
	return client.FileURL(path), nil
}

// writeWithin writes a file in a folder atomically. It replaces a link of that name and does not
// follow it.
func writeWithin(root *os.Root, name string, data []byte) error {
	tmp := "." + name + "." + rand.Text()
	file, err := root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := fill(file, data); err != nil {
		return errors.Join(err, root.Remove(tmp))
	}
	if err := root.Rename(tmp, name); err != nil {
		return errors.Join(err, root.Remove(tmp))
	}
	return nil
}

// RemovePreset deletes a preset and returns its path. The error wraps ErrNoPreset if there is
// none.
func (f Folders) RemovePreset(name string, project bool) (string, error) {
	if err := checkPresetName(name); err != nil {
		return "", err
	}
	path := filepath.Join(f.Path(presetsKind, project), name+presetSuffix)
	root, err := f.open(presetsKind, project)
	if err != nil {
		return "", f.told(project, err)
	}
	if root == nil {
		return "", fmt.Errorf("%s: %w", path, ErrNoPreset)
	}
	defer func() { _ = root.Close() }()
	err = root.Remove(name + presetSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: %w", path, ErrNoPreset)
	}
	return path, Unwritable(path, "removed", err)
}
