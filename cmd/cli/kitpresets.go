package cli

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

// savePreset writes a preset, and prints where it is. The profile's key may not be in it: where
// it can not be known, nothing is written.
func savePreset(k *globals, p expand.Preset, c config.Config, project, replace bool) error {
	cat, f, err := k.presetFolders()
	if err != nil {
		return err
	}
	key, err := k.secrets().Known(c.Profile)
	if err != nil {
		return usage("preset %s was not saved: the key could not be compared with it: %w", client.CleanLine(p.Name), err)
	}
	p.Variables = maps.Clone(p.Variables)
	path, err := f.SavePreset(p, project, replace, cat, key)
	if err != nil {
		return presetError("preset "+client.CleanLine(p.Name)+" was not saved", err)
	}
	if !k.out.table() {
		return k.out.one(map[string]string{"name": p.Name, "path": path})
	}
	k.io.printf("%s\n", client.CleanLine(path))
	return nil
}

// presetFolders are the folders with the catalog that presets are read by.
func (k *globals) presetFolders() (*catalog.Catalog, config.Folders, error) {
	cat, err := k.catalog()
	if err != nil {
		return nil, config.Folders{}, err
	}
	f, err := k.folders()
	return cat, f, err
}

// presetError gives an error about presets its exit code, and says what to do.
func presetError(what string, err error) error {
	switch {
	case errors.Is(err, config.ErrNoPreset):
		return notFound("%s %w; `darkroom presets` lists those that there are", what, err)
	case errors.Is(err, config.ErrPresetExists):
		return usage("%s: %w; `darkroom presets save --replace` takes its place, `darkroom presets rm` removes it", what, err)
	default:
		return usage("%s: %w", what, err)
	}
}

// hides says which preset of the person's own a project's stands before.
func hides(p config.PresetFile) string {
	if p.Hides == "" {
		return ""
	}
	return "; it is taken instead of your own, " + p.Hides
}

// completePresets offers presets for the first argument.
func (k *globals) completePresets(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	cat, err := k.catalog()
	f, ferr := k.folders()
	if len(args) > 0 || err != nil || ferr != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	all, err := f.Presets(context.Background(), cat) // which has a time limit of its own
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
