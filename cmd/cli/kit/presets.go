package kit

import (
	"cmp"
	"context"
	"errors"
	"maps"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
	"darkroom/cmd/config"
)

// SavePreset writes a preset and prints its path. The profile's key must not be in it: if the key
// cannot be known, nothing is written.
func SavePreset(k *Kit, p expand.Preset, c config.Config, project, replace bool) error {
	cat, f, err := k.PresetFolders()
	if err != nil {
		return err
	}
	key, err := k.Secrets().Known(c.Profile)
	if err != nil {
		return Usage("preset %s was not saved: the key could not be compared with it: %w", client.CleanLine(p.Name), err)
	}
	p.Variables = maps.Clone(p.Variables)
	path, err := f.SavePreset(p, project, replace, cat, key)
	if err != nil {
		return PresetError("preset "+client.CleanLine(p.Name)+" was not saved", err)
	}
	if !k.Out.Table() {
		return k.Out.One(map[string]string{"name": p.Name, "path": path})
	}
	k.IO.Printf("%s\n", client.CleanLine(path))
	return nil
}

// PresetFolders are the folders of presets, with the catalog to read them by.
func (k *Kit) PresetFolders() (*catalog.Catalog, config.Folders, error) {
	cat, err := k.Catalog()
	if err != nil {
		return nil, config.Folders{}, err
	}
	f, err := k.Folders()
	return cat, f, err
}

// PresetError gives an error about presets its exit code and says what to do.
func PresetError(what string, err error) error {
	switch {
	case errors.Is(err, config.ErrNoPreset):
		return NotFound("%s %w; `darkroom presets` lists those that there are", what, err)
	case errors.Is(err, expand.ErrPresetExists):
		return Usage("%s: %w; `darkroom presets save --replace` takes its place, `darkroom presets rm` removes it", what, err)
	case errors.As(err, new(*config.UnwritableError)):
		return err
	default:
		return Usage("%s: %w", what, err)
	}
}

// Hides says which of the person's own presets a project's preset hides.
func Hides(p expand.PresetFile) string {
	if p.Hides == "" {
		return ""
	}
	return "; it is taken instead of your own, " + p.Hides
}

// CompletePresets offers presets for the first argument.
func (k *Kit) CompletePresets(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	cat, err := k.Catalog()
	f, ferr := k.Folders()
	if len(args) > 0 || err != nil || ferr != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	all, err := f.Presets(context.Background(), cat) // reading presets has a time limit of its own
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, p := range all {
		if p.Err == nil {
			names = append(names, cobra.CompletionWithDesc(p.Name, client.CleanLine(cmp.Or(p.Description, p.Draft.Model))))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
