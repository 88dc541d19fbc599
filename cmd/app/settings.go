package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"darkroom/client"
	"darkroom/client/formats"
	"darkroom/cmd/config"
	"darkroom/themes"
	"darkroom/tui/app"
	"darkroom/tui/screens/settings"
)

// settingsDesk reads, writes and follows the settings while a console runs. It implements what the screen
// and the shell ask for.
type settingsDesk struct {
	request config.Request
	secrets config.Secrets
	version string
	other   func(profile string) (GatewayOptions, error)
	changed func(was, now config.Config) (then []func()) // what the console does by itself

	begin func()          // reads what the console began with, and watches; the first frame does not wait for it
	told  <-chan struct{} // the files may be others
	poke  chan struct{}   // look at them; capacity one
	done  <-chan struct{}

	mu     sync.Mutex
	now    config.Config
	own    themes.Library
	text   string // what was last read, right or wrong
	good   string // what holds
	mine   string // what was last written by this console
	wrong  []SettingsMistake
	start  []config.Value // as they were when the console began
	stores map[string]kept
}

// kept is where the key of a profile lies.
type kept struct {
	where string
	none  bool
}

func newSettingsDesk(ctx context.Context, o ConsoleOptions) *settingsDesk {
	d := &settingsDesk{request: o.Request, secrets: o.Secrets, version: o.Version, other: o.Other, now: o.Config, poke: make(chan struct{}, 1), done: ctx.Done(), stores: map[string]kept{}}
	d.secrets.FromEnv = false
	d.request.Paths = o.Config.Paths
	if d.request.Env == nil {
		d.request.Env = o.Env
	}
	d.begin = sync.OnceFunc(func() {
		b, _ := readSettings(o.Config.Paths.Config) //nolint:errcheck // it was read to begin with
		d.mu.Lock()
		defer d.mu.Unlock()
		d.text, d.good = string(b), string(b)
		d.start = d.request.Values(&o.Config, b)
		// Where the files cannot be watched they are looked at when the terminal gets the focus.
		d.told, _ = config.Watch(ctx, o.Config.Paths.Config, o.Config.Paths.Themes) //nolint:errcheck // see above
	})
	return d
}

func readSettings(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// Look implements app.Settings.
func (d *settingsDesk) Look() {
	select {
	case d.poke <- struct{}{}:
	default:
	}
}

// Next implements app.Settings.
func (d *settingsDesk) Next() (app.Applied, bool) {
	d.begin()
	for {
		select {
		case <-d.done:
			return app.Applied{}, false
		case <-d.poke:
		case _, ok := <-d.told:
			if !ok {
				d.told = nil // which nothing comes from
				continue
			}
		}
		if a, ok := d.reload(); ok {
			return a, true
		}
	}
}

// reload reads the settings and the themes, if they are others, and says what is to be done. Settings with
// a mistake leave the former ones as they are.
func (d *settingsDesk) reload() (a app.Applied, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a.Remake = d.rereadThemes()
	b, err := readSettings(d.request.Paths.Config)
	if err != nil {
		a.Wrong = err.Error()
		return a, true
	}
	if string(b) == d.text {
		a.Themes = d.own.Names()
		return a, a.Remake
	}
	d.text = string(b)
	if d.wrong = LintSettings(d.request.Paths, b); len(d.wrong) > 0 {
		x := d.wrong[0]
		a.Wrong = fmt.Sprintf("config.yaml, line %d, column %d: %s; the previous settings stay", x.Line, x.Column, x.Text)
		return a, true
	}
	now, err := config.Load(d.again())
	if err != nil {
		d.wrong = []SettingsMistake{{Text: err.Error()}}
		a.Wrong = err.Error() + "; the previous settings stay"
		return a, true
	}
	was := d.now
	d.now, d.good, d.wrong = now, d.text, nil
	bindings, errs := app.Keys().Override(now.File.Keys)
	if err := errors.Join(errs...); err != nil {
		a.Wrong = err.Error()
		return a, true
	}
	a.Keys, a.Profiles, a.Themes = bindings, profilesOf(&now), d.own.Names()
	if was.Theme != now.Theme {
		a.Theme = now.Theme
	}
	if string(b) != d.mine {
		a.Note = "config.yaml was reloaded"
	}
	if waiting := d.waiting(); len(waiting) > 0 && a.Note != "" {
		a.Note += "; at the next start: " + strings.Join(waiting, ", ")
	}
	a.Do = d.changed(was, now)
	return a, true
}

// again is the request that the console was begun with, for the profile that it began with.
func (d *settingsDesk) again() config.Request {
	r := d.request
	if p := d.now.Profile; !config.IsEnv(p.Name) {
		r.Profile = p.Name
	}
	return r
}

// rereadThemes reads a person's own themes again, and reports whether they are others.
func (d *settingsDesk) rereadThemes() bool {
	l, err := themes.Open(d.request.Paths.Themes)
	if err != nil {
		return false
	}
	same := slices.Equal(l.Names(), d.own.Names())
	for _, name := range l.Own() {
		a, _ := l.Source(name)     //nolint:errcheck // one that cannot be read has no text
		b, _ := d.own.Source(name) //nolint:errcheck // as above
		same = same && string(a) == string(b)
	}
	d.own = l
	return !same
}

// library are the themes that there are now.
func (d *settingsDesk) library() themes.Library {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.own
}

// waiting are the labels of the settings that were changed since the console began and that it goes on
// without.
func (d *settingsDesk) waiting() (labels []string) {
	was := map[string]string{}
	for _, v := range d.start {
		was[v.Key] = v.Value
	}
	values := d.request.Values(&d.now, []byte(d.good))
	note := func(key, value string) {
		s, err := config.SettingAt(key)
		of, _ := strings.CutPrefix(key, "profiles.")
		mine := of == key || strings.HasPrefix(of, d.now.Profile.Name+".")
		if err == nil && s.Restart && mine && key != "profile" && was[key] != value {
			labels = append(labels, s.Label)
		}
		delete(was, key)
	}
	for _, v := range values {
		note(v.Key, v.Value)
	}
	for key := range was { // those of the profile that were taken out
		note(key, "")
	}
	slices.Sort(labels)
	return slices.Compact(labels)
}

// write makes changes to the file, and has the console follow them.
func (d *settingsDesk) write(changes ...config.Change) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, err := config.Write(d.request.Paths.Config, changes, func(f config.File) error {
		for _, c := range changes {
			if err := CheckSettings(d.request.Paths, f, c.Key); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		d.wrote()
	}
	return err
}

// wrote notes that the file is what this console made of it.
func (d *settingsDesk) wrote() {
	if b, err := readSettings(d.request.Paths.Config); err == nil {
		d.mine = string(b)
	}
	d.Look()
}

// KeepTheme writes the theme that shows; see app.Options.
func (d *settingsDesk) KeepTheme(name string) (note string, err error) {
	if err := d.write(config.Change{Key: "theme", Text: name}); err != nil {
		return "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if by := d.request.Env(config.EnvTheme); by != "" {
		return "theme: " + name + " is written; " + config.EnvTheme + "=" + client.CleanLine(by) + " holds at the next start", nil
	}
	d.now.Theme = name // it shows already
	return "", nil
}

// Set implements settings.Store.
func (d *settingsDesk) Set(_ context.Context, key, value string) error {
	return d.write(config.Change{Key: key, Text: value})
}

// Unset implements settings.Store.
func (d *settingsDesk) Unset(_ context.Context, key string) error {
	return d.write(config.Change{Key: key, Unset: true})
}

// SetKeys implements settings.Store.
func (d *settingsDesk) SetKeys(_ context.Context, by map[string][]string) error {
	var all []config.Change
	for id, keys := range by {
		all = append(all, config.Change{Key: "keys." + id, Words: keys, Unset: keys == nil})
	}
	slices.SortFunc(all, func(a, b config.Change) int { return strings.Compare(a.Key, b.Key) })
	return d.write(all...)
}

// Source implements settings.Store.
func (d *settingsDesk) Source(context.Context) (string, error) {
	b, err := readSettings(d.request.Paths.Config)
	return string(b), err
}

// Replace implements settings.Store. A text with a mistake is kept beside the file.
func (d *settingsDesk) Replace(_ context.Context, was, text string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	path := d.request.Paths.Config
	var errs []error
	for _, x := range LintSettings(d.request.Paths, []byte(text)) {
		errs = append(errs, fmt.Errorf("line %d, column %d: %s", x.Line, x.Column, x.Text))
	}
	if len(errs) == 0 {
		errs = config.Replace(path, []byte(was), []byte(text))
	}
	if len(errs) == 0 {
		d.wrote()
		return nil
	}
	if err := config.WritePrivate(path+".edited", []byte(text)); err != nil {
		return errors.Join(errs[0], err)
	}
	return fmt.Errorf("%w; the previous settings stay, and what you wrote is in %s.edited", errs[0], path)
}

// CheckProfile implements settings.Store.
func (d *settingsDesk) CheckProfile(p settings.NewProfile) string {
	err := config.CheckName(p.Name)
	if err == nil && p.Address != "" {
		_, err = config.CheckBaseURL(p.Address)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// AddProfile implements settings.Store.
func (d *settingsDesk) AddProfile(ctx context.Context, p settings.NewProfile) (where string, err error) {
	base, err := config.CheckBaseURL(p.Address)
	if err != nil {
		return "", err
	}
	if err := CheckNewKey(ctx, base, p.Key, d.version); err != nil && !errors.Is(err, client.ErrNoList) {
		return "", fmt.Errorf("nothing was kept: %w", err)
	}
	if where, err = d.secrets.Keep(config.Profile{Name: p.Name, BaseURL: base}, p.Key); err != nil {
		return "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.stores, p.Name)
	if _, err := config.SetProfile(d.request.Paths.Config, p.Name, base); err != nil {
		return "", fmt.Errorf("the key is kept, the profile is not: %w", err)
	}
	d.wrote()
	return where, nil
}

// SetKey implements settings.Store.
func (d *settingsDesk) SetKey(ctx context.Context, profile, key string) (string, error) {
	f, err := config.ReadFile(d.request.Paths.Config)
	if err != nil {
		return "", err
	}
	p, ok := f.Profiles[profile]
	if !ok {
		return "", fmt.Errorf("config.yaml has no profile %s", profile)
	}
	return d.AddProfile(ctx, settings.NewProfile{Name: profile, Address: p.BaseURL, Key: key})
}

// Test implements settings.Store.
func (d *settingsDesk) Test(ctx context.Context, profile string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	if profile == config.Sandbox {
		return "it is part of this program, and answers", nil
	}
	if d.other == nil {
		return "", errors.New("this console has no other profile")
	}
	o, err := d.other(profile)
	if err != nil {
		return "", err
	}
	err = CheckKey(ctx, o)
	if errors.Is(err, client.ErrNoList) {
		return "the gateway answers, and has no list by which to tell whether it takes the key", nil
	}
	if err != nil {
		return "", err
	}
	return "the gateway answers, and takes the key", nil
}

// CheckNewKey asks the gateway at an address with GETs alone whether it takes a key.
func CheckNewKey(ctx context.Context, base, key, version string) error {
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	c, err := client.New(client.Options{BaseURL: base, Formats: formats.All(), ModelLists: formats.ModelLists(),
		Key: func() (string, error) { return key, nil }, UserAgent: "darkroom/" + version})
	if err != nil {
		return err
	}
	return c.CheckKey(ctx)
}
