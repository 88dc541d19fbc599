package app

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/cmd/config"
	"darkroom/tui/app"
	"darkroom/tui/screens/settings"
)

// checkLimit bounds asking a gateway whether it takes a key.
const checkLimit = 20 * time.Second

// Read implements settings.Store: the table of settings with what holds now.
func (d *settingsDesk) Read(context.Context) (settings.Sheet, error) {
	d.begin()
	b, err := readSettings(d.request.Paths.Config)
	if err != nil {
		return settings.Sheet{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now
	out := settings.Sheet{File: d.homely(d.request.Paths.Config), Keys: map[string]string{}, Waiting: d.waiting()}
	wrong := d.wrong
	if string(b) != d.text { // it is about to be read
		wrong = LintSettings(d.request.Paths, b)
	}
	for _, x := range wrong {
		out.Mistakes = append(out.Mistakes, settings.Mistake{Line: x.Line, Column: x.Column, Text: x.Text})
	}
	if len(wrong) == 0 {
		if f, err := config.Load(d.again()); err == nil {
			now = f
		}
	} else {
		b = []byte(d.good)
	}
	values := map[string]config.Value{}
	for _, v := range d.request.Values(&now, b) {
		values[v.Key] = v
		if id, ok := strings.CutPrefix(v.Key, "keys."); ok {
			out.Keys[id] = "config.yaml " + v.Place
		}
	}
	names := append(slices.Sorted(maps.Keys(now.File.Profiles)), config.Sandbox)
	for _, s := range config.Settings() {
		if strings.Contains(s.Key, "*") {
			continue
		}
		r := rowOf(s, s.Key, values[s.Key])
		switch s.Key {
		case "theme":
			r.Kind = settings.Theme
		case "profile":
			r.Kind, r.Allowed = settings.Choice, names
		case "downloads":
			if r.Default = d.request.Paths.Downloads; r.Value == "" {
				r.Value = r.Default
			}
			r.Said = d.homely(r.Value)
		}
		out.Rows = append(out.Rows, r)
	}
	slices.SortStableFunc(out.Rows, func(a, b settings.Row) int { return place(a.Group) - place(b.Group) })
	for _, p := range now.Profiles() {
		out.Profiles = append(out.Profiles, d.profile(&now, p, values))
	}
	return out, nil
}

// homely is a path as a person writes it: what lies in the home folder begins with ~.
func (d *settingsDesk) homely(path string) string {
	home := d.request.Env("HOME")
	if rest, ok := strings.CutPrefix(path, home+"/"); ok && home != "" && home != "/" {
		return "~/" + rest
	}
	return path
}

// place is where a group stands on the screen: what is changed most comes first.
func place(group string) int {
	return slices.Index([]string{"Look", "Console", "Results", "History", "Gateway"}, group)
}

func rowOf(s config.Setting, key string, v config.Value) settings.Row {
	r := settings.Row{
		Key: key, Label: s.Label, Group: s.Group, Value: v.Value, Default: s.Default, Usual: s.Usual, From: "default", Allowed: s.Allowed, May: s.May(),
		Help: s.Help, Restart: s.Restart, Required: s.Required,
		Check: func(text string) string {
			if err := s.CheckText(text); err != nil {
				return err.Error()
			}
			return ""
		},
	}
	switch v.From {
	case config.FromFile:
		r.From, r.Own = "config.yaml "+v.Place, true
	case config.FromEnv, config.FromFlag:
		r.From, r.Outranked = v.Place, v.Place
	default:
		r.Value = s.Default
	}
	switch {
	case r.Value == "0" && s.Nought != "":
		r.Said = s.Nought
	case s.Unit != "":
		r.Said = r.Value + " " + s.Unit
	}
	switch {
	case s.Kind == config.Bool:
		r.Kind = settings.Switch
	case len(s.Allowed) > 0:
		r.Kind = settings.Choice
	}
	return r
}

// profile is a profile with its settings.
func (d *settingsDesk) profile(c *config.Config, p config.Profile, values map[string]config.Value) settings.Profile {
	out := settings.Profile{Name: p.Name, Host: p.BaseURL, Color: p.Color, Banner: p.Banner, Embedded: p.Embedded, Shown: p.Name == c.Profile.Name,
		Default: c.File.Profile == p.Name || c.File.Profile == "" && p.Embedded}
	if p.Embedded {
		out.Host, out.Key = "the embedded gateway", "none is needed"
		return out
	}
	k, ok := d.stores[p.Name]
	if !ok {
		k = d.keptFor(p)
		d.stores[p.Name] = k
	}
	out.Key, out.NoKey = k.where, k.none
	if config.IsEnv(p.Name) {
		return out
	}
	for _, s := range config.Settings() {
		if rest, ok := strings.CutPrefix(s.Key, "profiles.*."); ok && !strings.Contains(rest, "*") {
			key := "profiles." + p.Name + "." + rest
			out.Rows = append(out.Rows, rowOf(s, key, values[key]))
		}
	}
	return out
}

// keptFor is where the key of a profile lies, but not the key.
func (d *settingsDesk) keptFor(p config.Profile) kept {
	if config.IsEnv(p.Name) {
		return kept{where: config.EnvKey}
	}
	k, err := d.secrets.Look(p.Name)
	switch {
	case errors.Is(err, config.ErrNoKey):
		return kept{where: "add one here, or with `darkroom auth login`", none: true}
	case err != nil:
		return kept{where: client.CleanLine(err.Error()), none: true}
	}
	return kept{where: k.Where}
}

// profilesOf are the profiles that the console can show.
func profilesOf(c *config.Config) (out []app.Profile) {
	for _, p := range c.Profiles() {
		out = append(out, app.Profile{Name: p.Name, Host: HostOf(p), Color: p.Color, Banner: p.Banner, ReadOnly: p.ReadOnly != ""})
	}
	return out
}

var (
	_ settings.Store = (*settingsDesk)(nil)
	_ app.Settings   = (*settingsDesk)(nil)
)
