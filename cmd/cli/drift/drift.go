// Package drift is the command that lists what the gateway's answers have that its interface does
// not name.
package drift

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/drift"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
	"darkroom/cmd/library"
	"darkroom/jobs"
	"darkroom/jobs/drifted"
)

type options struct {
	k         *kit.Kit
	elsewhere bool
	days      int
	times     kit.Choice
}

// New makes the command.
func New(k *kit.Kit) *cobra.Command {
	o := &options{k: k}
	cmd := &cobra.Command{
		Use: "drift", Short: "list what the gateway sends and its interface does not document", Args: cobra.NoArgs,
		Long: `Looks through the answers that the history has kept, and lists the fields, types and terms that the
gateway's interface does not name, counted by format and call. What other public gateways of this
kind send, too, and what the embedded gateway adds, is no reason for alarm and is left out unless
--elsewhere is given. Answers about tasks of others, as ` + "`darkroom inspect`" + ` and the Inspect screen get
them, were counted when they came. Nothing is asked of the gateway.`,
		Example: "  darkroom drift\n  darkroom drift --days 7 --elsewhere -o json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	o.times.Times(cmd)
	f := cmd.Flags()
	f.BoolVar(&o.elsewhere, "elsewhere", false, "list what other gateways send, too, and what the embedded one adds")
	f.IntVar(&o.days, "days", 0, "only answers about jobs of the last so many days; 0 for all")
	return cmd
}

func (o *options) run(ctx context.Context) error {
	if err := o.times.Check(); err != nil {
		return err
	}
	if o.days < 0 {
		return kit.Usage("--days %d: 0 or more is needed", o.days)
	}
	var c drift.Counter
	since := time.Time{}
	if o.days > 0 {
		since = time.Now().AddDate(0, 0, -o.days)
	}
	if !o.k.NoHistory() {
		if err := o.count(ctx, &c, since); err != nil {
			return err
		}
	}
	if err := library.OpenDrift(o.k.IO.Paths.Drift).Load(&c, since); err != nil {
		return err
	}
	return o.print(&c)
}

// count looks through the kept answers of all jobs of the profile's history.
func (o *options) count(ctx context.Context, c *drift.Counter, since time.Time) error {
	s, err := o.k.ReadHistory(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // only read from
	var words atomic.Value
	words.Store("")
	status := o.k.IO.Status(func() string { return words.Load().(string) })
	defer status.Stop()
	return drifted.Look{History: s, Embedded: config.Sandbox, Since: since}.Count(ctx, c, func(far string) { words.Store(far) })
}

// exampleOf is the short id of a job, or the whole id of a task.
func exampleOf(id string) string {
	if uuid.Validate(id) == nil {
		return jobs.ShortID(id)
	}
	return client.CleanLine(id)
}

func (o *options) print(c *drift.Counter) error {
	rows := c.Rows(o.elsewhere)
	if !o.k.Out.Table() {
		return kit.List(o.k.Out, rows)
	}
	s := o.k.IO
	if len(rows) == 0 {
		s.Printf("nothing in %s that the interface does not name\n", human.Plural(c.Answers, "kept answer"))
		return nil
	}
	cells := make([][]string, len(rows))
	for i, r := range rows {
		text := r.Text()
		switch {
		case r.Elsewhere:
			text += " (seen at other gateways)"
		case r.Own:
			text += " (the embedded gateway's own)"
		}
		cells[i] = []string{r.Format, string(r.Of), fmt.Sprint(r.Count), o.times.Clock().Stamp(r.Last), exampleOf(r.Example), text}
	}
	return kit.Rows(s.Out, []string{"FORMAT", "CALL", "COUNT", "LAST", "SEEN AT", "WHAT"}, cells)
}
