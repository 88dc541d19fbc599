package inspect

import (
	"context"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
)

// profileOut is what the gateway of one profile says of an id, as -o json prints it.
type profileOut struct {
	Profile string `json:"profile"`
	Knows   bool   `json:"knows"`
	State   string `json:"state,omitempty"`
	Said    string `json:"said"`
}

// ask looks subjects up and hands over what came of each: at the gateway in use, or at those of all
// profiles.
type ask func(ctx context.Context, all []inspect.Subject, each func(i int, f found, err error))

// everywhere asks the gateways of all profiles.
func everywhere(cat *catalog.Catalog, p *lookup.Profiles) ask {
	return func(ctx context.Context, all []inspect.Subject, each func(int, found, error)) {
		p.Each(ctx, all, func(i int, x lookup.Found) {
			f, err := newFound(cat, x.Profile, x.Result)
			f.check(x.Checks)
			if err = f.elsewhere(&x, err); err != nil {
				f.Problem = client.CleanLine(err.Error())
			}
			each(i, f, err)
		})
	}
}

// elsewhere adds what each profile said, and says who was asked where nobody knows it.
func (f *found) elsewhere(x *lookup.Found, err error) error {
	f.Profile = x.Profile
	for i := range f.Routes {
		f.Routes[i].Profile = x.Profile
	}
	unknown := false // to one that was asked
	for i := range x.Answers {
		a := &x.Answers[i]
		out := profileOut{Profile: a.Profile, Knows: a.Knows(), Said: client.CleanLine(a.Words())}
		if a.Left == nil {
			out.State = a.State()
			unknown = unknown || out.State == lookup.NotFound
		}
		f.Profiles = append(f.Profiles, out)
		if a.Profile == x.Profile || a.Left != nil {
			continue
		}
		for n := range a.Findings.Routes {
			row := newRow(&a.Findings.Routes[n])
			row.Profile = a.Profile
			f.Routes = append(f.Routes, row)
		}
	}
	switch {
	case len(x.Knowing()) > 0:
		return err
	case unknown:
		return kit.NotFound("no gateway knows %q; %s", client.CleanLine(f.ID), x.AskedWords())
	case err != nil:
		return kit.Exit(kit.Code(err), &askedError{err, x.AskedWords()})
	}
	return nil
}

// askedError is an error with who was asked.
type askedError struct {
	err   error
	asked string
}

func (e *askedError) Error() string { return e.err.Error() + "; " + e.asked }
func (e *askedError) Unwrap() error { return e.err }

// profiles prints who knows the id and who does not, for people.
func (f *found) profiles(s *kit.IO) error {
	if len(f.Profiles) == 0 {
		return nil
	}
	var cells [][]string
	for _, p := range f.Profiles {
		cells = append(cells, []string{p.Profile, p.Said})
	}
	s.Printf("\n")
	return kit.Rows(s.Out, []string{"PROFILE", "ITS GATEWAY"}, cells)
}

// knowing returns the profiles that know the id, for a cell.
func (f *found) knowing() string {
	var names []string
	for _, p := range f.Profiles {
		if p.Knows {
			names = append(names, p.Profile)
		}
	}
	return strings.Join(names, ", ")
}

// meaning returns the one thing to know about the id, and whose gateway says so.
func (f *found) meaning(cat *catalog.Catalog) string {
	if names := f.knowing(); names != "" {
		return "at " + names + ": " + f.result.Meaning(cat)
	}
	return f.result.Meaning(cat)
}
