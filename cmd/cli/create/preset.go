package create

import (
	"darkroom/client/expand"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
)

// fillPreset makes the draft that --preset begins with.
func (o *options) fillPreset() error {
	if o.many.preset == "" {
		return nil
	}
	if o.body != "" || o.from != "" {
		return kit.Usage("--preset and --body or --from both say what to begin with: give one of them")
	}
	f, err := o.k.Folders()
	if err != nil {
		return err
	}
	p, err := f.Preset(o.many.preset, o.cat)
	if err != nil {
		return kit.PresetError("--preset", err)
	}
	if o.draft, err = f.Draft(p, o.modality, o.cat); err != nil {
		return kit.Usage("--preset: %w", err)
	}
	o.many.kept = p.Variables
	switch {
	case o.many.given("expand"):
	case p.Project && p.Expand != expand.AsIs: // somebody else's word alone makes no batch
		return kit.Usage("preset %s is the project's, and its prompt is a template that makes many jobs: --expand=%s makes them, --expand=off sends the prompt as it is", p.Name, p.Expand)
	default:
		o.many.expand = string(p.Expand)
	}
	if p.Project {
		o.note("preset " + p.Name + " is the project's, " + p.Path + kit.Hides(p))
	}
	return nil
}

// savePreset keeps what was said of the draft, and sends nothing.
func (o *options) savePreset(gw *app.Gateway) error {
	if o.many.file != "" {
		return kit.Usage("--save-preset keeps one draft: leave out --batch")
	}
	vars, err := o.many.variables()
	if err != nil {
		return err
	}
	p := expand.Preset{Name: o.many.save, Expand: o.many.mode(), Variables: vars, Draft: o.draft}
	if len(vars) == 0 {
		p.Variables = nil
	}
	return kit.SavePreset(o.k, p, gw.Config, false, false)
}
