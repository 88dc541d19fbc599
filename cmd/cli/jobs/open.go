package jobs

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/cmd/config"
	"darkroom/jobs"
	"darkroom/jobs/player"
)

type openOptions struct {
	k      *kit.Kit
	player []string
}

func newOpen(k *kit.Kit) *cobra.Command {
	o := &openOptions{k: k}
	cmd := &cobra.Command{Use: "open JOB", Short: "play the result of a job, or show it", Args: cobra.ExactArgs(1),
		Long: `Plays the saved video or sound of a job and waits for the player's end; pictures go to the
desktop's program for them. What is not on the disk plays from its address, where it has one
that needs no key.

The player is that of the settings (player: [PROGRAM, ARGUMENT...]), else the first of mpv,
ffplay, afplay, paplay and the desktop's program that is installed. No shell is involved: each
--player is one word, the program first; a word {} stands for the file, which else comes last,
behind "--".`,
		Example:           "  darkroom jobs open 3f9a1c22\n  darkroom jobs open 3f9a1c22 --player mpv --player --loop",
		ValidArgsFunction: k.CompleteOne(),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args[0]) }}
	cmd.Flags().StringArrayVar(&o.player, "player", nil, "the player, a word each time (default: as configured)")
	return cmd
}

func (o *openOptions) run(ctx context.Context, word string) error {
	if err := config.CheckPlayer(o.player); err != nil {
		return kit.Usage("--player: %w", err)
	}
	c, err := o.k.Config()
	if err != nil {
		return err
	}
	var j jobs.Job
	err = o.k.OfJob(ctx, word, func(_ *jobs.Engine, found jobs.Job) error {
		j = found
		return nil
	})
	if err != nil {
		return err
	}
	t, ok := player.Of(&j)
	if !ok {
		return nothingToOpen(j)
	}
	command := c.Player
	if len(o.player) > 0 {
		command, t.Still = o.player, false // it was asked for
	}
	p := app.Player(command, os.Environ())
	defer p.Close()
	if err := p.Play(t); err != nil {
		if len(o.player) > 0 {
			return fmt.Errorf("--player: %w", err)
		}
		return err
	}
	s := p.State()
	if t.Path != "" {
		o.k.IO.Notef("%s: %s\n", client.CleanLine(s.Program), client.CleanLine(t.Path))
	} else {
		o.k.IO.Notef("%s: from its address, since the file is not on the disk\n", client.CleanLine(s.Program))
	}
	for s.Running {
		if s = p.Wait(ctx, s.Seq); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return s.Err
}

// nothingToOpen says what can be done about a job with nothing to play or show. Only a completed
// one has anything to download.
func nothingToOpen(j jobs.Job) error {
	id := jobs.ShortID(j.ID)
	next := follow.Next(j)
	if j.State == jobs.Completed {
		next = fmt.Sprintf("`darkroom jobs download %s` saves what it made", id)
	}
	if next != "" {
		next = "; " + next
	}
	return kit.NotFound("there is nothing of job %s to open, it is %s%s", id, j.State, next)
}
