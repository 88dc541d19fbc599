package cli

import (
	"darkroom/client/expand"
	"darkroom/cmd/app"
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
	return savePreset(o.g, p, gw.Config, false, false)
}
