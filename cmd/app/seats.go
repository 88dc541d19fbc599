package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"darkroom/client"
	"darkroom/client/stack"
	"darkroom/cmd/app/internal/ahead"
	"darkroom/cmd/config"
	"darkroom/jobs/compare/run"
	"darkroom/jobs/player"
	"darkroom/themes"
	"darkroom/tui/app"
	"darkroom/tui/dialogs/everywhere"
	"darkroom/tui/keys"
	"darkroom/tui/paint"
	"darkroom/tui/preview"
	"darkroom/tui/screens/queue"
	"darkroom/tui/times"
)

// seats are the profiles that are open in one terminal, each with its gateway, its history and its
// engine, and what they share. The engines of those that do not show work on.
type seats struct {
	ctx      context.Context //nolint:containedctx // of the console, which is over before they are closed
	o        ConsoleOptions
	term     *paint.Terminal
	ffmpeg   *preview.FFmpeg // nil for none
	previews *preview.Loader
	play     *player.Player
	times    *times.Choice
	theme    func(name string) (*themes.Styles, error)
	dress    func(l themes.Library, name string) (*themes.Styles, error)
	settings *settingsDesk
	endTour  func() error           // nil where the tour of the first start is over
	screens  []app.Entry            // of all profiles
	keys     keys.Map               // of all profiles; it follows the settings
	notify   atomic.Pointer[string] // how ended jobs are announced
	untold   error                  // why themes could not be read; nil once it is told

	asked *Profiles // that are asked without being shown; nil without others

	mu   sync.Mutex
	all  []*seat
	over bool // nothing is opened any more
}

// seat is one profile that is open.
type seat struct {
	name   string
	gw     *Gateway
	lazy   *lazyJobs
	bench  *run.Bench
	cancel context.CancelFunc
}

func newSeats(ctx context.Context, o ConsoleOptions, term *paint.Terminal) *seats {
	tool := preview.FindFFmpeg()
	s := &seats{ctx: ctx, o: o, term: term, ffmpeg: tool, previews: loader(o.Config, tool, term), play: Player(o.Config.Player, os.Environ())}
	s.notify.Store(&o.Config.Notify)
	s.endTour = endTour(o.Config.Paths)
	s.settings = newSettingsDesk(ctx, o)
	s.settings.changed = s.follow
	s.settings.own, s.untold = themes.Open(o.Config.Paths.Themes)
	s.dress = dresser(o)
	s.theme = func(name string) (*themes.Styles, error) { return s.dress(s.settings.library(), name) }
	if o.Other != nil && len(o.Config.Names()) > 1 {
		s.asked = NewProfiles(o.Config, o.Other)
		s.asked.Borrow = s.gateway
	}
	return s
}

// open opens a profile: its gateway and its shell at once, its history meanwhile.
func (s *seats) open(c config.Config, secrets config.Secrets) (*app.Model, *seat, error) {
	o := s.o
	o.Config, o.Secrets = c, secrets
	x := &seat{name: c.Profile.Name, lazy: newLazyJobs()}
	// Keys and styles first: the catalog, which the gateway waits for, is still being read.
	if err := s.bind(o); err != nil {
		return nil, nil, err
	}
	st, auto, err := s.styles(o, x.lazy.tell)
	if err != nil {
		return nil, nil, err
	}
	gw, err := OpenGateway(s.ctx, GatewayOptions{Config: c, Secrets: secrets, Version: s.o.Version})
	if err != nil {
		return nil, nil, err
	}
	x.gw = gw
	x.bench = NewBench(gw, lazyRuns{x.lazy}, BenchOptions{Version: s.o.Version, News: x.lazy.poke, Writable: x.lazy.writable})
	model, err := s.shell(o, x, st, auto)
	if err != nil {
		gw.Close()
		return nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		gw.Close()
		return nil, nil, context.Canceled
	}
	var opening context.Context
	opening, x.cancel = context.WithCancel(s.ctx)
	s.all = append(s.all, x)
	x.lazy.first = ahead.Of(queue.FirstPage(c.Profile.Name))
	s.term.Go(func() { x.lazy.readAhead(opening) })
	s.term.Go(func() {
		defer x.lazy.set(nil, errPanic) // whatever happens, nobody waits for ever
		stack.Grow()
		s.afterFrame(c)
		x.lazy.openBy(opening, func() (*Desk, error) {
			return OpenDesk(opening, gw, DeskOptions{AutoDownload: c.AutoDownload, Slow: o.Slow, Tell: x.lazy.tell, Stake: o.Stake, Interrupted: o.Interrupted.Done(), Upkeep: true, Reading: true})
		})
		x.lazy.forward(opening)
	})
	return model, x, nil
}

// frameSoon is how long the first frame is waited for, at most.
const frameSoon = 200 * time.Millisecond

// afterFrame returns when the first frame shows, where there is no history yet: to make one takes longer
// than the frame, and has nothing to show. One that is there is read meanwhile.
func (s *seats) afterFrame(c config.Config) {
	if _, err := os.Lstat(c.Paths.History); c.Profile.History != "" || err == nil {
		return
	}
	s.untilFrame()
}

func (s *seats) untilFrame() {
	select {
	case <-s.term.Painted():
	case <-time.After(frameSoon):
	case <-s.ctx.Done():
	}
}

const (
	// startGrowth is how far the heap grows, in percent of what lives, before the collector runs while
	// the console starts. The first time it would be in the middle of the first frame.
	startGrowth = 300
	// startRest is how long after the first frame the start is over: who goes to Queue at once sees its
	// first page.
	startRest = 150 * time.Millisecond
)

// collectLater lets the collector run as usual once the start is over.
func (s *seats) collectLater() {
	usual := debug.SetGCPercent(startGrowth)
	if usual < 0 || usual > startGrowth { // somebody wants it otherwise
		debug.SetGCPercent(usual)
		return
	}
	s.term.Go(func() {
		s.untilFrame()
		rest := time.NewTimer(startRest)
		defer rest.Stop()
		select {
		case <-rest.C:
		case <-s.ctx.Done():
		}
		debug.SetGCPercent(usual)
	})
}

// gateway is that of a profile that is open, nil for none.
func (s *seats) gateway(name string) *Gateway {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.all {
		if x.name == name {
			return x.gw
		}
	}
	return nil
}

// everywhere asks the gateways of all profiles, that of a seat first; nil where there is but one.
func (s *seats) everywhere(x *seat) func() everywhere.Profiles {
	if s.asked == nil {
		return nil
	}
	return func() everywhere.Profiles { return s.asked.Lookup(x.name, x.lazy, nil, false) }
}

// historySoon is how long a switch waits to hear that a history cannot be opened at all.
const historySoon = 2 * time.Second

// other opens another profile of the settings for the console to show; see [app.ShellsOptions].
func (s *seats) other(name string) (*app.Model, string, error) {
	o, err := s.o.Other(name)
	if err != nil {
		return nil, "", err
	}
	model, x, err := s.open(o.Config, o.Secrets)
	if err != nil {
		return nil, "", err
	}
	soon := time.NewTimer(historySoon)
	defer soon.Stop()
	select {
	case <-x.lazy.ready:
		if err := x.lazy.failure(); err != nil {
			s.drop(x)
			return nil, "", err
		}
	case <-soon.C: // it is still opening, and tells by itself what comes of it
	}
	note := ""
	if err := x.gw.CheckKey(); err != nil {
		note = client.CleanLine(err.Error())
	}
	return model, note, nil
}

// drop closes a profile that is not to be shown after all.
func (s *seats) drop(x *seat) {
	s.mu.Lock()
	s.all = slices.DeleteFunc(s.all, func(y *seat) bool { return x == y })
	s.mu.Unlock()
	x.cancel()
	x.bench.Close()
	_ = x.lazy.close()
	x.gw.Close()
}

// profiles are those that the console can show.
func (s *seats) profiles() []app.Profile {
	return profilesOf(&s.o.Config)
}

// follow has what the profiles share, and their saving of results, follow the settings. What is returned
// is done in a command.
func (s *seats) follow(was, now config.Config) (do []func()) {
	s.notify.Store(&now.Notify)
	s.play.Use(now.Player)
	if was.Mouse != now.Mouse {
		do = append(do, func() { s.term.SetMouse(now.Mouse)() })
	}
	if was.Preview != now.Preview && s.previews != nil {
		s.previews.SetBlocks(now.Preview == config.PreviewASCII, now.Preview == config.PreviewFine)
		do = append(do, func() { s.term.SetPictures(protocol(now.Preview, plain(s.o)))() })
	}
	if was.Downloads != now.Downloads || was.Saving != now.Saving {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, x := range s.all {
			x.lazy.resave(now)
		}
	}
	return do
}

// close closes all that are open, each with its history, at the same time: each may have creates that
// await their answers.
func (s *seats) close() error {
	s.mu.Lock()
	s.over = true
	all := s.all
	s.mu.Unlock()
	errs := make([]error, len(all))
	var wg sync.WaitGroup
	for i, x := range all {
		x.cancel()
		wg.Go(func() {
			x.bench.Close()
			if errs[i] = x.lazy.close(); errs[i] != nil && len(all) > 1 {
				errs[i] = fmt.Errorf("profile %s: %w", client.CleanLine(x.name), errs[i])
			}
			x.gw.Close()
		})
	}
	wg.Wait()
	if s.asked != nil {
		s.asked.Close()
	}
	s.play.Close()
	if s.previews != nil {
		s.previews.Close(previewEnd)
	}
	return errors.Join(errs...)
}
