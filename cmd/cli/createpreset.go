package cli

import (
	"errors"
	"maps"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/expand"
	"darkroom/cmd/app"
	"darkroom/cmd/config"
)

// fillPreset makes the draft that --preset begins with.
func (o *createOptions) fillPreset() error {
	if o.many.preset == "" {
		return nil
	}
	if o.body != "" || o.from != "" {
		return usage("--preset and --body or --from both say what to begin with: give one of them")
	}
	f, err := o.g.folders()
	if err != nil {
		return err
	}
	p, err := f.Preset(o.many.preset, o.cat)
	if err != nil {
		return presetError("--preset", err)
	}
	if o.draft, err = f.Draft(p, o.modality, o.cat); err != nil {
		return usage("--preset: %w", err)
	}
	o.many.kept = p.Variables
	switch {
	case o.many.given("expand"):
	case p.Project && p.Expand != expand.AsIs: // somebody else's word alone makes no batch
		return usage("preset %s is the project's, and its prompt is a template that makes many jobs: --expand=%s makes them, --expand=off sends the prompt as it is", p.Name, p.Expand)
	default:
		o.many.expand = string(p.Expand)
	}
	if p.Project {
		o.note("preset " + p.Name + " is the project's, " + p.Path + hides(p))
	}
	return nil
}

// hides says which preset of the person's own a project's stands before.
func hides(p config.PresetFile) string {
	if p.Hides == "" {
		return ""
	}
	return "; it is taken instead of your own, " + p.Hides
}

// presetError gives an error about presets its exit code, and says what to do.
func presetError(what string, err error) error {
	switch {
	case errors.Is(err, config.ErrNoPreset):
		return notFound("%s %w; `darkroom presets` lists those that there are", what, err)
	case errors.Is(err, config.ErrPresetExists):
		return usage("%s: %w; `darkroom presets save --replace` takes its place, `darkroom presets rm` removes it", what, err)
	case errors.As(err, new(*config.UnwritableError)):
		return err
	default:
		return usage("%s: %w", what, err)
	}
}

// savePreset keeps what was said of the draft, and sends nothing.
func (o *createOptions) savePreset(gw *app.Gateway) error {
	if o.many.file != "" {
		return usage("--save-preset keeps one draft: leave out --batch")
	}
	vars, err := o.many.variables()
	if err != nil {
		return err
	}
	p := expand.Preset{Name: o.many.save, Expand: o.many.mode(), Variables: vars, Draft: o.draft}
	if len(vars) == 0 {
		p.Variables = nil
	}
	return o.g.savePreset(p, gw.Config, false, false)
}

// savePreset writes a preset, and prints where it is. The profile's key may not be in it: where
// it can not be known, nothing is written.
func (g *globals) savePreset(p expand.Preset, c config.Config, project, replace bool) error {
	cat, f, err := g.presetFolders()
	if err != nil {
		return err
	}
	key, err := g.secrets().Known(c.Profile)
	if err != nil {
		return usage("preset %s was not saved: the key could not be compared with it: %w", client.CleanLine(p.Name), err)
	}
	p.Variables = maps.Clone(p.Variables)
	path, err := f.SavePreset(p, project, replace, cat, key)
	if err != nil {
		return presetError("preset "+client.CleanLine(p.Name)+" was not saved", err)
	}
	if !g.out.table() {
		return g.one(map[string]string{"name": p.Name, "path": path})
	}
	g.io.printf("%s\n", client.CleanLine(path))
	return nil
}

// presetFolders are the folders with the catalog that presets are read by.
func (g *globals) presetFolders() (*catalog.Catalog, config.Folders, error) {
	cat, err := g.catalog()
	if err != nil {
		return nil, config.Folders{}, err
	}
	f, err := g.folders()
	return cat, f, err
}
