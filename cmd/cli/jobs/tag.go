package jobs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

func newTag(k *kit.Kit) *cobra.Command {
	c := &chosen{k: k}
	cmd := &cobra.Command{Use: "tag [JOB[,JOB...]] [+]TAG... -TAG...", Short: "tag jobs, or remove tags",
		Long: `Adds tags to a job, and removes those with a minus before them. A tag is one word without
commas and quotes; ` + "`darkroom jobs list --tag`" + ` finds by it. Several jobs are parted by commas; with
--filter or --view there is no job before the tags.`,
		Example: `  darkroom jobs tag 3f9a1c22 kept +good -bad
  darkroom jobs tag 3f9a1c22,7be01d44 +ticket:77
  darkroom jobs tag --filter 'code:429 since:today' --yes +limited`,
		DisableFlagParsing: true, // -bad is a tag
		ValidArgsFunction:  k.CompleteOne(),
		RunE: func(cmd *cobra.Command, args []string) error {
			args, help, err := tagFlags(cmd, args)
			if err != nil {
				return err
			}
			if help {
				return cmd.Help()
			}
			if err := k.Out.Check(cmd); err != nil {
				return err
			}
			var named []string
			if !c.many() {
				if len(args) == 0 {
					return kit.Usage("name a job, and tags")
				}
				named, args = strings.Split(args[0], ","), args[1:]
			}
			add, remove, err := tagWords(args)
			if err != nil {
				return err
			}
			return c.each(cmd.Context(), named, work{verb: "Tag", act: func(d *app.Desk, j jobs.Job) (jobs.Job, error) {
				if err := d.Engine.Tag(cmd.Context(), j.ID, add, remove); err != nil {
					return j, err
				}
				return c.tellSaid(cmd.Context(), d, j.ID)
			}})
		}}
	c.flags(cmd, true)
	return cmd
}

// tagFlags picks the flags out of the arguments: those with two dashes, and the short ones that
// every command has. The rest are words.
func tagFlags(cmd *cobra.Command, args []string) (words []string, help bool, err error) {
	var flags []string
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-h" || a == "--help":
			return nil, true, nil
		case a == "--":
			words = append(words, args[i+1:]...)
			i = len(args)
		case slices.Contains([]string{"-o", "-p", "--output", "--profile", "--filter", "--view"}, a):
			flags = append(flags, a)
			if i++; i < len(args) {
				flags = append(flags, args[i])
			}
		case strings.HasPrefix(a, "--"):
			flags = append(flags, a)
		default:
			words = append(words, a)
		}
	}
	cmd.DisableFlagParsing = false
	defer func() { cmd.DisableFlagParsing = true }()
	if err := cmd.ParseFlags(flags); err != nil {
		return nil, false, kit.FlagError(cmd, err)
	}
	return words, false, nil
}

// tellSaid prints what a person has noted on a job by now; of many the table alone tells.
func (c *chosen) tellSaid(ctx context.Context, d *app.Desk, id string) (jobs.Job, error) {
	j, err := d.Engine.Get(ctx, id)
	if err == nil && c.k.Out.Table() && !c.many() {
		c.k.IO.Notef("%s", saidText(j))
	}
	return j, err
}

// saidText has a line for a job's tags and one for its remark, if there are any.
func saidText(j jobs.Job) string {
	text := ""
	if len(j.Tags) > 0 {
		text += "tags: " + client.CleanLine(strings.Join(j.Tags, " ")) + "\n"
	}
	if j.Remark != "" {
		text += "remark: " + client.CleanLine(j.Remark) + "\n"
	}
	return cmp.Or(text, "no tags and no remark\n")
}

func tagWords(words []string) (add, remove []string, err error) {
	for _, w := range words {
		if rest, ok := strings.CutPrefix(w, "-"); ok {
			remove = append(remove, rest)
		} else {
			add = append(add, strings.TrimPrefix(w, "+"))
		}
	}
	if len(add)+len(remove) == 0 {
		return nil, nil, kit.Usage("give tags: NAME or +NAME adds one, -NAME takes it away")
	}
	for _, list := range [][]string{add, remove} {
		if _, err := jobs.CleanTags(list); err != nil {
			return nil, nil, kit.Usage("%s", fmt.Sprint(err))
		}
	}
	return add, remove, nil
}

func newRemark(k *kit.Kit) *cobra.Command {
	c := &chosen{k: k}
	cmd := &cobra.Command{Use: "remark [JOB[,JOB...]] [TEXT...]", Aliases: []string{"note"}, Short: "remark on jobs",
		Long: `Keeps a remark with a job, in place of the one before; without a text it is taken away.
The search of ` + "`darkroom jobs list`" + ` finds it. Several jobs are parted by commas; with --filter or
--view there is no job before the text.`,
		Example:           "  darkroom jobs remark 3f9a1c22 \"the client liked this one\"\n  darkroom jobs remark --filter 'is:fault since:today' --yes 'told the gateway, ticket 77'",
		ValidArgsFunction: k.CompleteOne(),
		RunE: func(cmd *cobra.Command, args []string) error {
			var named []string
			if !c.many() {
				if len(args) == 0 {
					return kit.Usage("name a job, or choose some with --filter")
				}
				named, args = strings.Split(args[0], ","), args[1:]
			}
			text := strings.Join(args, " ")
			return c.each(cmd.Context(), named, work{verb: "Remark on", act: func(d *app.Desk, j jobs.Job) (jobs.Job, error) {
				if err := d.Engine.Remark(cmd.Context(), j.ID, text); err != nil {
					return j, err
				}
				return c.tellSaid(cmd.Context(), d, j.ID)
			}})
		}}
	c.flags(cmd, true)
	return cmd
}

func newStar(k *kit.Kit) *cobra.Command {
	return &cobra.Command{Use: "star JOB...", Short: "star jobs: those worth keeping", Args: cobra.MinimumNArgs(1),
		Long: `Stars jobs. A star is the tag "` + jobs.Star + `": exports and imports carry it, the filter is:starred
of the console and ` + "`darkroom jobs list --starred`" + ` find by it, and neither a retention nor
` + "`darkroom jobs prune`" + ` removes the job.`,
		Example:           "  darkroom jobs star 3f9a1c22 7be01d44 -o json",
		ValidArgsFunction: k.CompleteJobs(),
		RunE:              star(k, []string{jobs.Star}, nil)}
}

func newUnstar(k *kit.Kit) *cobra.Command {
	return &cobra.Command{Use: "unstar JOB...", Short: "remove the star from jobs", Args: cobra.MinimumNArgs(1),
		Long:              "Removes the star from jobs. Other tags stay, and so does the job.",
		Example:           "  darkroom jobs unstar 3f9a1c22",
		ValidArgsFunction: k.CompleteJobs(),
		RunE:              star(k, nil, []string{jobs.Star})}
}

func star(k *kit.Kit, add, remove []string) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, words []string) error {
		return each(cmd.Context(), k, words, false, func(d *app.Desk, j jobs.Job) (jobs.Job, error) {
			if err := d.Engine.Tag(cmd.Context(), j.ID, add, remove); err != nil {
				return j, err
			}
			return d.Engine.Get(cmd.Context(), j.ID)
		})
	}
}
