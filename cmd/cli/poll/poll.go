// Package poll is the command that works on the jobs of a history without a console.
package poll

import (
	"cmp"
	"context"
	"time"

	"github.com/spf13/cobra"

	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/jobs"
)

// pollLook is how often a poller looks whether it is done.
const pollLook = 250 * time.Millisecond

type options struct {
	k         *kit.Kit
	downloads string
	none      bool
	untilIdle bool
	once      bool
	saves     bool // results are saved here
}

// New makes the command.
func New(k *kit.Kit) *cobra.Command {
	o := &options{k: k}
	cmd := &cobra.Command{Use: "poll", Short: "send and follow jobs without a console", Args: cobra.NoArgs,
		Long: `Works on the jobs of the profile's history until it is interrupted: sends what was left
unsent, follows what runs, and takes over what other consoles and pollers leave when they
end or are killed. Any number of them share one history (profiles.NAME.history, or
DARKROOM_HISTORY, as postgres://user@host/database); no job is worked on twice at once.

It prints a line for each change (-o ndjson: an object, whose change says what it is about:
state, status, file or note). With a shared history nothing is
saved here unless --downloads names a folder: files lie on the machine that fetched them,
and "darkroom jobs download" fetches them for another one. With the history of this machine
results are saved as the settings say.

An interrupt or SIGTERM ends it: leases are given back, creates under way get their answer,
and the exit code is 0. It is 1 when the history cannot be opened, 4 without a key.`,
		Example: `  darkroom poll --profile work
  darkroom poll --profile work --downloads /srv/results -o ndjson
  DARKROOM_HISTORY=postgres://darkroom@db/darkroom darkroom poll --until-idle`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) }}
	f := cmd.Flags()
	f.StringVar(&o.downloads, "downloads", "", "save results into this folder")
	f.BoolVar(&o.none, "no-downloads", false, "save no results here")
	f.BoolVar(&o.untilIdle, "until-idle", false, "exit when no job has work left")
	f.BoolVar(&o.once, "once", false, "do what is due now, then exit")
	return cmd
}

func (o *options) run(ctx context.Context) error {
	if f := o.k.Out.Format; f != kit.Table && f != kit.NDJSON {
		return kit.Usage("-o %s: a poller prints a line for each change: table or ndjson", f)
	}
	if o.once && o.untilIdle {
		return kit.Usage("--once and --until-idle: give one of them")
	}
	if o.none && o.downloads != "" {
		return kit.Usage("--downloads and --no-downloads contradict each other")
	}
	c, err := o.k.Config()
	if err != nil {
		return err
	}
	shared := c.Profile.Shared()
	o.saves = !o.none && (o.downloads != "" || shared == "" && c.AutoDownload)
	gw, err := o.k.Gateway(ctx)
	if err != nil {
		return err
	}
	// First of all, so that nothing is taken over that could not be sent.
	if err := gw.CheckKey(); err != nil {
		gw.Close()
		return err
	}
	d, done, err := o.k.DeskOf(ctx, gw, app.DeskOptions{
		Downloads: o.downloads, NoDownloads: o.none || shared != "" && o.downloads == "",
		AutoDownload: o.downloads != "" || c.AutoDownload, Upkeep: true,
	})
	if err != nil {
		return err
	}
	defer done()
	o.k.IO.Notef("darkroom: working on the jobs of the profile %s in %s; an interrupt ends it\n",
		c.Profile.Name, cmp.Or(shared, c.Paths.History))
	if err := gw.Client.ReadOnly(); err != nil {
		o.k.IO.Notef("darkroom: %v; what is planned stays, and is sent by one without that\n", err)
	}
	l := &log{k: o.k, seen: map[string]jobs.Job{}}
	return o.follow(ctx, d, l)
}

// follow logs changes until the poller is to end.
func (o *options) follow(ctx context.Context, d *app.Desk, l *log) error {
	stop, err := o.ending(ctx, d)
	if err != nil {
		return err
	}
	look := time.NewTicker(pollLook)
	defer look.Stop()
	for seq := uint64(0); ; {
		var changed []jobs.Job
		changed, seq = d.Engine.Changes(seq)
		for _, j := range changed {
			if err := l.put(j); err != nil {
				return err
			}
		}
		if line := l.away.News(d.Engine.Counts().Flow); line != "" {
			l.k.IO.Notef("%s\n", line)
		}
		select {
		case <-ctx.Done():
			return nil // how a poller usually ends
		case <-d.Ended():
			return follow.Ended(d)
		case <-d.Engine.Dirty():
		case <-look.C:
			if len(changed) > 0 || stop == nil { // first what is new, then the end
				continue
			}
			if ended, err := stop(ctx); ended && (err != nil || !l.behind(ctx, d.Store)) {
				return err
			}
		}
	}
}

// ending says when the poller is to end by itself; nil for never.
func (o *options) ending(ctx context.Context, d *app.Desk) (func(context.Context) (bool, error), error) {
	switch {
	case o.untilIdle:
		return func(ctx context.Context) (bool, error) { return idle(ctx, d) }, nil
	case o.once:
		w, err := newOnce(ctx, d, o.saves)
		if err != nil {
			return nil, err
		}
		return w.ended, nil
	default:
		return nil, nil
	}
}
