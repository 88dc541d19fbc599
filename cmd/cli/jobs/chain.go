package jobs

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/chain"
)

func newChain(k *kit.Kit) *cobra.Command {
	return &cobra.Command{Use: "chain JOB", Short: "show what a job was made from and what was made from it", Args: cobra.ExactArgs(1),
		Long: `Prints a job with the jobs whose results it began with, and those that began with its own, as
a tree. With -o json it is a list in the order of the tree: depth counts the steps from the top.`,
		Example:           "  darkroom jobs chain 3f9a1c22\n  darkroom jobs chain 3f9a1c22 -o json",
		ValidArgsFunction: k.CompleteOne(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return k.OfJob(cmd.Context(), args[0], func(r *jobs.Engine, j jobs.Job) error {
				tree, err := chain.Read(cmd.Context(), r, j.ID)
				if err != nil {
					return err
				}
				return printChain(k, tree)
			})
		}}
}

// linkOut is a job of a chain in output for machines.
type linkOut struct {
	Depth int `json:"depth"`
	// As is what the job above's result was used for.
	As   string `json:"as,omitempty"`
	Self bool   `json:"self,omitempty"`
	// Missing: it is not in the history (any more). Also: it is a further parent of the next job
	// without also. Again: it is already in the list. More: it has children that are not listed.
	Missing bool          `json:"missing,omitempty"`
	Also    bool          `json:"also,omitempty"`
	Again   bool          `json:"again,omitempty"`
	More    bool          `json:"more,omitempty"`
	Job     string        `json:"job"`
	Profile string        `json:"profile,omitempty"`
	State   string        `json:"state,omitempty"`
	Kind    string        `json:"kind,omitempty"`
	Model   string        `json:"model,omitempty"`
	Mode    string        `json:"mode,omitempty"`
	TaskID  string        `json:"task_id,omitempty"`
	Prompt  string        `json:"prompt,omitempty"`
	Created *time.Time    `json:"created_at,omitempty"`
	age     time.Duration // of the job
}

func printChain(k *kit.Kit, t chain.Tree) error {
	out := make([]linkOut, len(t.Links))
	for i := range t.Links {
		l := &t.Links[i]
		j := &l.Job
		out[i] = linkOut{Depth: l.Depth, As: l.As, Self: l.Self, Missing: l.Missing, Also: l.Also, Again: l.Again, More: l.More,
			Job: j.ID, Profile: j.Profile, State: string(j.State), Kind: string(j.Draft.Modality), Model: j.Draft.Model, Mode: j.Draft.Mode,
			TaskID: j.TaskID, Prompt: j.Draft.Prompt}
		if !l.Missing {
			out[i].Created, out[i].age = &j.CreatedAt, time.Since(j.CreatedAt)
		}
	}
	if t.Cut {
		k.IO.Notef("darkroom: the first job shown has ancestors of its own: ask for its chain\n")
	}
	if !k.Out.Table() {
		return kit.List(k.Out, out)
	}
	var cells [][]string
	for i, branch := range t.Branches() {
		l := &out[i]
		name := branch + jobs.ShortID(l.Job)
		if l.Self {
			name += " *"
		}
		cells = append(cells, []string{name, client.CleanLine(l.As), l.what(), client.CleanLine(l.Model), l.when(), l.text()})
	}
	if err := kit.Rows(k.IO.Out, []string{"JOB", "AS", "STATE", "MODEL", "AGE", "PROMPT"}, cells); err != nil {
		return err
	}
	if t.Alone() {
		k.IO.Notef("darkroom: this job was made from no other, and none from it\n")
	}
	return nil
}

func (l *linkOut) what() string {
	if l.Missing {
		return "not in the history"
	}
	return l.State
}

func (l *linkOut) when() string {
	if l.Created == nil {
		return ""
	}
	return human.Age(l.age)
}

func (l *linkOut) text() string {
	text := kit.FirstLine(l.Prompt, 40)
	for _, x := range []struct {
		on   bool
		text string
	}{{l.Also, "a parent, too"}, {l.Again, "see above"}, {l.More, "and more below"}} {
		if x.on {
			text = fmt.Sprintf("%s (%s)", text, x.text)
		}
	}
	return text
}
