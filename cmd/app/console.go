package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"darkroom/client"
	"darkroom/client/child"
	"darkroom/cmd/config"
	"darkroom/cmd/library"
	"darkroom/jobs/chain"
	"darkroom/themes"
	"darkroom/tui/app"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/paint"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
)

// Previews are made two at a time and cached up to these sizes, in bytes.
const (
	previewWorkers = 2
	previewCache   = 64 << 20  // in memory, including the pixels sent to the terminal
	previewDisk    = 256 << 20 // scaled pictures on the disk
	previewEnd     = time.Second
)

// hungFlush is how long screens may take to save their state when the loop hangs: it may hold
// what they need.
const hungFlush = 3 * time.Second

// ConsoleOptions configure the console.
type ConsoleOptions struct {
	Config  config.Config
	Request config.Request // that the settings were read by
	Secrets config.Secrets
	Version string
	In, Out *os.File
	Env     func(string) string
	// Other says how the gateway of another profile of the settings is opened; nil for no others.
	Other func(profile string) (GatewayOptions, error)
	// Judge is a run of a comparison whose blind vote begins at once; "" for none.
	Judge string
	// Plain turns colours off and draws pictures as characters, whatever the terminal can do.
	Plain bool
	// Stake gets, on leaving and after the terminal was given back, what is not in the history
	// yet. See DeskOptions.
	Stake func(string)
	// Interrupted is done when a signal came before the console listens for signals, or after
	// it has given the terminal back; its cause is a paint.Signaled.
	Interrupted context.Context //nolint:containedctx // it is asked for its cause, and passed on to nobody
	// Slow is called when leaving takes a moment, after the terminal was given back.
	Slow func()
}

// Console runs the console in a terminal until the person quits. The first frame does not
// wait for the history, which is opened meanwhile.
func Console(ctx context.Context, o ConsoleOptions) error {
	term, err := paint.Open(paint.Options{In: o.In, Out: o.Out, Mouse: o.Config.Mouse, Title: "darkroom", Env: o.Env,
		Before: o.Interrupted,
		Ask:    paint.AskBackground, Pictures: protocol(o.Config.Preview, plain(o))})
	if err != nil {
		return err
	}
	all := newSeats(ctx, o, term)
	all.collectLater()
	first, _, err := all.open(o.Config, o.Secrets)
	if err != nil {
		return errors.Join(err, all.close())
	}
	shells := app.ShellsOptions{First: o.Config.Profile.Name, Profiles: all.profiles(), Settings: all.settings}
	if o.Judge != "" {
		shells.Then = screen.OpenMsg{Screen: screen.Compare, Payload: screen.JudgeRun{Run: o.Judge}}
	}
	if o.Other != nil {
		shells.Open = all.other
	}
	model := app.NewShells(shells, first)
	_, err = term.Run(ctx, model)
	if errors.As(err, new(*paint.HungError)) {
		// A screen left in the middle of a change must not end anything else.
		err = errors.Join(err, within(hungFlush, model.Flush, errHungFlush))
	} else {
		err = errors.Join(err, model.Flush())
	}
	return errors.Join(err, all.close())
}

var errPanic = errors.New("opening it failed")

var errHungFlush = errors.New("the last few seconds of typing may not be saved")

// colors is the colour profile that the environment announces; no colours if Plain is set.
func colors(o ConsoleOptions) termenv.Profile {
	if o.Plain {
		return termenv.Ascii
	}
	return termenv.NewOutput(o.Out, termenv.WithEnvironment(environ(o.Env))).EnvColorProfile()
}

func plain(o ConsoleOptions) bool { return colors(o) == termenv.Ascii }

// protocol is the picture protocol to ask the terminal for. Without colours, pictures have
// none either.
func protocol(p config.Preview, plain bool) paint.Protocol {
	switch {
	case plain:
		return paint.NoPictures
	case p == config.PreviewAuto:
		return paint.AutoPictures
	case p == config.PreviewKitty:
		return paint.KittyPictures
	case p == config.PreviewITerm2:
		return paint.InlinePictures
	case p == config.PreviewSixel:
		return paint.SixelPictures
	}
	return paint.NoPictures
}

// loader makes previews; nil if they are turned off.
func loader(c config.Config, tool *preview.FFmpeg, canvas preview.Canvas) *preview.Loader {
	if c.Preview == config.PreviewNone {
		return nil
	}
	o := preview.Options{
		Workers: previewWorkers, Bytes: previewCache, ASCII: c.Preview == config.PreviewASCII,
		Sextants: c.Preview == config.PreviewFine, Canvas: canvas,
		Disk: preview.NewDisk(c.Paths.Previews, previewDisk),
	}
	if tool != nil {
		o.Tool = tool
	}
	return preview.New(o)
}

// Frames extracts the last frames of videos and keeps them in dir; nil if there is no ffmpeg.
func Frames(dir string) chain.Frames { return frames(preview.FindFFmpeg(), dir) }

func frames(tool *preview.FFmpeg, dir string) chain.Frames {
	if f := preview.NewFrames(tool, dir); f != nil {
		return f
	}
	return nil
}

// shell makes the shell of a profile; for styles and auto see [seats.styles].
func (s *seats) shell(o ConsoleOptions, x *seat, st *themes.Styles, auto bool) (*app.Model, error) {
	gw, lazy, term := x.gw, x.lazy, s.term
	folders, err := config.NewFolders(o.Config.Paths, "")
	if err != nil {
		return nil, err
	}
	if why := folders.Foreign(); why != "" {
		lazy.tell(why)
	}
	s.openTimes(o, lazy)
	looks := library.OpenLooks(o.Config.Paths.Looks)
	kept := library.OpenChats(o.Config.Paths.Chats)
	shelf := library.OpenShelf(folders, gw.Catalog, o.Secrets, o.Config.Profile)
	options := app.Options{
		Services: app.Services{
			Catalog: gw.Catalog, Gateway: screenGateway{gw.Client, gw, lazy}, Probe: gw.Probe, Jobs: lazy, PlanOf: lazy.PlanOf, Keys: s.keys, Styles: st, Settings: s.settings,
			Previews: s.previews, Player: s.play, Frames: frames(s.ffmpeg, o.Config.Paths.Frames),
			Marks: library.OpenMarks(o.Config.Paths.Marks), Folders: library.OpenFolders(o.Config.Paths.Folders),
			Bodies: body.Options{History: lazy, Gateway: gw.Client, Profile: o.Config.Profile.Name, Filters: library.OpenFilters(o.Config.Paths.Filters)},
			Pace:   paceOf(gw),
			Views:  library.OpenViews(o.Config.Paths.Views),
			Looks:  looks, ComposeLooks: looks.Compose(), Drift: library.OpenDrift(o.Config.Paths.Drift), Differs: differing{lazy, library.OpenDrift(o.Config.Paths.Drift)}, Times: s.times,
			Drafts: library.OpenDrafts(o.Config.Paths.Drafts, o.Config.Profile.Name), Chats: kept, Talks: kept.Talks(time.Now),
			Shelf: shelf, Profile: o.Config.Profile.Name, Embedded: o.Config.Profile.Embedded, Host: gw.Host(), ChatModel: ChatModel(o.Config.Profile), Forbidden: forbidden(gw), Everywhere: s.everywhere(x), Now: time.Now,
		},
		Profile: o.Config.Profile.Name, Sandbox: o.Config.Profile.Embedded, Origin: gw.Client.Origin(), Color: o.Config.Profile.Color, Banner: o.Config.Profile.Banner,
		News: lazy.news, Busy: lazy.busy, Unsaved: lazy.unsaved, Trouble: lazy.trouble, ReadOnly: lazy.readOnly, Notice: lazy.notice,
		Theme: s.theme, Themes: s.settings.library().Names(), Auto: auto, KeepTheme: s.settings.KeepTheme,
		Start:   screen.Compose,
		EndTour: s.endTour,
		Exec: func(name string, args []string, done func(error) tea.Msg) tea.Cmd {
			return paint.Exec(child.Command(context.Background(), nil, name, args...), done)
		},
		Suspend: paint.Suspend,
		Copy:    term.Copy,
		Repaint: term.Repaint,
		Open:    openFile,
		Editor:  func() []string { return editor(o.Env) },
	}
	x.compares(&options.Services, o, PlanOptions{Version: o.Version, PlanOf: lazy.PlanOf, Wildcards: shelf.Wildcards})
	options.Taskbar = func(percent int) tea.Cmd {
		if *s.notify.Load() == paint.NotifyOff {
			return nil
		}
		return term.Taskbar(percent)
	}
	options.Notify = func(title, text string) tea.Cmd {
		if by := *s.notify.Load(); by != paint.NotifyOff {
			return term.Notify(by, title, text)
		}
		return nil
	}
	return app.New(options, s.screens), nil
}

// bind lists the screens and reads their keys, which all shells share, once.
func (s *seats) bind(o ConsoleOptions) error {
	if len(s.keys.Actions("")) > 0 {
		return nil
	}
	s.screens = app.Screens()
	bindings, errs := app.KeysOf(s.screens).Override(o.Config.File.Keys)
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%s: keys: %w", o.Config.Paths.Config, err)
	}
	s.keys = bindings
	return nil
}

// styles are those of the theme in use; auto says that the terminal's background may choose another.
// A theme with a mistake is told, and keeps nobody from working.
func (s *seats) styles(o ConsoleOptions, tell func(string)) (st *themes.Styles, auto bool, err error) {
	if s.untold != nil {
		tell(client.CleanLine(s.untold.Error()))
		s.untold = nil
	}
	if o.Config.Theme != "auto" {
		if st, err = s.theme(o.Config.Theme); err == nil {
			return st, false, nil
		}
		tell(client.CleanLine(err.Error()))
	}
	if st, err = s.theme(themes.Dark); err != nil { // a person's own
		tell(client.CleanLine(err.Error()))
		st, err = s.dress(themes.Library{}, themes.Dark)
	}
	return st, true, err
}

// dresser makes the styles of the themes of a library, with the colours that the terminal has as it is
// before the loop takes it: asked later, it seems to have none.
func dresser(o ConsoleOptions) func(l themes.Library, name string) (*themes.Styles, error) {
	profile := colors(o)
	renderer := lipgloss.NewRenderer(o.Out)
	renderer.SetColorProfile(profile)
	renderer.SetHasDarkBackground(true)
	return func(l themes.Library, name string) (*themes.Styles, error) {
		t, err := l.Get(name)
		if err != nil {
			return nil, err
		}
		return themes.Make(t, renderer, profile == termenv.Ascii), nil
	}
}

// paceOf tells how many requests a second may go to a gateway now, and at most.
func paceOf(gw *Gateway) func() (rate, top float64) {
	return func() (float64, float64) {
		p := gw.Client.Pace()
		return p.Rate, p.Top
	}
}

// forbidden is why nothing can be created at a gateway, "" where it can.
func forbidden(gw *Gateway) string {
	if err := gw.Client.ReadOnly(); err != nil {
		return err.Error()
	}
	return ""
}

func environ(env func(string) string) termenv.Environ { return variables(env) }

// variables makes a function an environment for termenv.
type variables func(string) string

// Getenv implements termenv.Environ.
func (l variables) Getenv(k string) string { return l(k) }

// Environ implements termenv.Environ.
func (l variables) Environ() []string { return nil }

// editor is the person's editor: the program and its arguments.
func editor(env func(string) string) []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if f := strings.Fields(env(name)); len(f) > 0 {
			return f
		}
	}
	for _, name := range []string{"nano", "vi"} {
		if p, err := exec.LookPath(name); err == nil {
			return []string{p}
		}
	}
	return nil
}
