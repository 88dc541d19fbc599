package jobs

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/jobs"
)

type pauseOptions struct {
	k    *kit.Kit
	on   bool
	all  bool
	host string
	with bool // with files
}

func newPause(k *kit.Kit) *cobra.Command {
	o := &pauseOptions{k: k, on: true}
	cmd := &cobra.Command{Use: "pause [JOB...]", Short: "pause jobs, a host, or everything",
		Long: `Pauses jobs: nothing of them is sent, asked or fetched until they are resumed. What is in
flight ends, and what runs at the gateway runs on. --all pauses the whole profile, --host all
that goes to one host: the gateway's, or one that results are fetched from. A pause is kept in
the history, and everyone who shares it obeys; ` + "`darkroom jobs pauses`" + ` lists what is paused.`,
		Example:           "  darkroom jobs pause 3f9a1c22\n  darkroom jobs pause --all\n  darkroom jobs pause --host cdn.example.com",
		ValidArgsFunction: k.CompleteJobs(append(unended(), jobs.Completed)...)}
	return o.finish(cmd)
}

func newResume(k *kit.Kit) *cobra.Command {
	o := &pauseOptions{k: k}
	cmd := &cobra.Command{Use: "resume [JOB...]", Short: "let paused jobs go on",
		Long: `Ends pauses. What fell due meanwhile is done one after another, not at once. A job that was
paused by itself stays paused when everything is resumed.

A job that names local files is sent by the installation that made it, and by no other: its
paths would mean other files there. --with-files sends it from here all the same, with the
files that lie at these paths on this machine; ` + "`darkroom jobs show`" + ` tells which they are.`,
		Example:           "  darkroom jobs resume 3f9a1c22\n  darkroom jobs resume --all\n  darkroom jobs resume --host cdn.example.com",
		ValidArgsFunction: k.CompleteJobs(append(unended(), jobs.Completed)...)}
	withFilesFlag(cmd, &o.with)
	return o.finish(cmd)
}

func (o *pauseOptions) finish(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().BoolVar(&o.all, "all", false, "everything of the profile")
	cmd.Flags().StringVar(&o.host, "host", "", "all that goes to this host, with its port where it has one")
	_ = cmd.RegisterFlagCompletionFunc("host", cobra.NoFileCompletions)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) }
	return cmd
}

func (o *pauseOptions) run(ctx context.Context, words []string) error {
	ways := 0
	for _, given := range []bool{len(words) > 0, o.all, o.host != ""} {
		if given {
			ways++
		}
	}
	switch {
	case ways != 1:
		return kit.Usage("name jobs, or --all, or --host HOST: one of the three")
	case o.with && len(words) == 0:
		return kit.Usage("--with-files: name the jobs whose files are to be sent")
	}
	if len(words) > 0 {
		return each(ctx, o.k, words, false, func(d *app.Desk, j jobs.Job) (jobs.Job, error) {
			var err error
			if o.with {
				err = sendFiles(ctx, o.k, d, j)
			} else {
				err = d.Engine.SetPaused(ctx, j.ID, o.on)
			}
			if err != nil {
				return j, withFiles(err, "resume", j)
			}
			return d.Engine.Get(ctx, j.ID)
		})
	}
	host := strings.ToLower(strings.TrimSpace(o.host))
	if err := jobs.CheckHost(host); err != nil {
		return kit.Usage("--host: %w", err)
	}
	d, done, err := o.k.Desk(ctx, app.DeskOptions{OwnOnly: true})
	if err != nil {
		return err
	}
	defer done()
	if err := o.paused(ctx, d.Engine); err != nil {
		return err
	}
	if err := d.Engine.SetPause(ctx, o.host, o.on); err != nil {
		return err
	}
	list, err := d.Engine.Pauses(ctx)
	if err != nil {
		return err
	}
	return printPauses(o.k, d.Config.Profile.Name, pauseOuts(o.k, list, nil))
}

// paused checks that a host to be resumed was paused: a misspelt name would silently leave the right
// one paused.
func (o *pauseOptions) paused(ctx context.Context, e *jobs.Engine) error {
	if o.on || o.host == "" {
		return nil
	}
	all, err := e.Pauses(ctx)
	if err != nil {
		return err
	}
	var hosts []string
	for _, p := range all {
		if p.Host != "" {
			hosts = append(hosts, p.Host)
		}
	}
	if slices.Contains(hosts, strings.ToLower(strings.TrimSpace(o.host))) {
		return nil
	}
	return kit.NotFound("host %q is not paused; these are: %s", client.CleanLine(o.host), cmp.Or(strings.Join(hosts, ", "), "none"))
}

// pauseOut is a pause as printed, with the command that ends it.
type pauseOut struct {
	follow.HeldBy
	Job     string    `json:"job,omitempty"` // the job that is paused individually
	Profile string    `json:"profile"`
	At      time.Time `json:"at,omitzero"` // not known of a job
}

// pauseOuts are the pauses of a profile, and its jobs that are paused individually.
func pauseOuts(k *kit.Kit, all []jobs.Pause, alone []jobs.Job) (out []pauseOut) {
	for _, p := range all {
		h := jobs.Hold{Kind: jobs.HoldAll}
		if p.Host != "" {
			h = jobs.Hold{Kind: jobs.HoldHost, Host: p.Host}
		}
		for _, by := range follow.Resumable(k, jobs.Job{Profile: p.Profile}, p.Profile, []jobs.Hold{h}) {
			out = append(out, pauseOut{HeldBy: by, Profile: p.Profile, At: p.At})
		}
	}
	for _, j := range alone {
		for _, by := range follow.Resumable(k, j, j.Profile, []jobs.Hold{{Kind: jobs.HoldJob}}) {
			out = append(out, pauseOut{HeldBy: by, Job: j.ID, Profile: j.Profile})
		}
	}
	return out
}

func newPauses(k *kit.Kit) *cobra.Command {
	return &cobra.Command{Use: "pauses", Short: "list what is paused", Args: cobra.NoArgs,
		Long: `Lists what is paused in the profile in use: everything, hosts, and jobs by themselves, each
with the command that lets it go on.`,
		Example: "  darkroom jobs pauses\n  darkroom jobs pauses -o json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := k.Config()
			if err != nil {
				return err
			}
			s, err := k.ReadHistory(cmd.Context())
			if err != nil {
				return err
			}
			defer func() { _ = s.Close() }() // only read from
			all, err := s.Pauses(cmd.Context(), c.Profile.Name)
			if err != nil {
				return err
			}
			alone, err := pausedAlone(cmd.Context(), s, c.Profile.Name)
			if err != nil {
				return err
			}
			return printPauses(k, c.Profile.Name, pauseOuts(k, all, alone))
		}}
}

// pausedAlone are a profile's jobs that have work left and are paused individually.
func pausedAlone(ctx context.Context, s jobs.Store, profile string) (out []jobs.Job, err error) {
	q := jobs.Query{Profile: profile, States: append(unended(), jobs.Completed), Limit: listPage}
	for {
		page, err := s.List(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, j := range page.Jobs {
			if j.Paused && !jobs.Settled(j) {
				out = append(out, j)
			}
		}
		if q.Before = page.Next; page.Next == "" {
			return out, nil
		}
	}
}

// printPauses prints the current pauses.
func printPauses(k *kit.Kit, profile string, all []pauseOut) error {
	if !k.Out.Table() {
		return kit.List(k.Out, all)
	}
	if len(all) == 0 {
		k.IO.Notef("nothing of the profile %s is paused; `darkroom jobs pauses` lists jobs that are paused by themselves, too\n", client.CleanLine(profile))
		return nil
	}
	var cells [][]string
	for _, p := range all {
		what, since := "everything", "-"
		switch p.Kind {
		case jobs.HoldHost:
			what = p.Host
		case jobs.HoldJob:
			what = "job " + jobs.ShortID(p.Job)
		}
		if !p.At.IsZero() {
			since = human.Times{Now: time.Now()}.Stamp(p.At)
		}
		cells = append(cells, []string{p.Profile, what, since, p.Resume})
	}
	return kit.Rows(k.IO.Out, []string{"PROFILE", "PAUSED", "SINCE", "GOES ON WITH"}, cells)
}
