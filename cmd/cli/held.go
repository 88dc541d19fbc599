package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"darkroom/cmd/app"
	"darkroom/cmd/config"
	"darkroom/jobs"
)

// heldBy is a pause that holds a job up, with the command that ends it.
type heldBy struct {
	jobs.Hold
	Resume string `json:"resume"`
}

func (h heldBy) String() string {
	switch h.Kind {
	case jobs.HoldFiles:
		return "it names local files of another installation, which is the one to send it: `" + h.Resume + "` sends the files at the same paths here"
	case jobs.HoldAll:
		return "everything is paused: `" + h.Resume + "` lets it go on"
	case jobs.HoldHost:
		return "the host " + h.Host + " is paused: `" + h.Resume + "` lets it go on"
	default:
		return "the job is paused: `" + h.Resume + "` lets it go on"
	}
}

// pauses is who knows the pauses of one profile, or of all.
type pauses interface {
	Pauses(ctx context.Context) ([]jobs.Pause, error)
}

// holdings tells what holds jobs up.
type holdings struct {
	g     *globals
	own   string               // the profile in use
	flows map[string]jobs.Flow // by profile
	hosts map[string]string    // of the gateways, by profile
}

// holdings reads the pauses. Where they can not be read nothing counts as held but what is
// paused by itself: what the command is about is not lost for that.
func (g *globals) holdings(ctx context.Context, p pauses) *holdings {
	h := &holdings{g: g, flows: map[string]jobs.Flow{}, hosts: map[string]string{}}
	if c, err := g.config(); err == nil {
		h.own = c.Profile.Name
		h.hosts[h.own] = app.HostOf(c.Profile)
	}
	all, err := p.Pauses(ctx)
	if err != nil {
		return h
	}
	of := map[string][]jobs.Pause{}
	for _, x := range all {
		of[x.Profile] = append(of[x.Profile], x)
	}
	for profile, list := range of {
		h.flows[profile] = jobs.FlowOf(list)
	}
	return h
}

// host is that of a profile's gateway; "" where it can not be told.
func (h *holdings) host(profile string) string {
	host, known := h.hosts[profile]
	if !known {
		if c, err := config.Load(config.Request{Paths: h.g.io.Paths, Profile: profile, Env: h.g.io.Env}); err == nil {
			host = app.HostOf(c.Profile)
		}
		h.hosts[profile] = host
	}
	return host
}

func (h *holdings) by(j jobs.Job) []heldBy {
	f := h.flows[j.Profile]
	host := ""
	if f.Hosts != "" {
		host = h.host(j.Profile)
	}
	return h.g.resumable(j, h.own, f.Holds(j, host))
}

// resumable names the command that ends each pause; own is the profile in use.
func (g *globals) resumable(j jobs.Job, own string, holds []jobs.Hold) []heldBy {
	var out []heldBy
	for _, x := range holds {
		words := []string{"darkroom", "jobs", "resume"}
		switch x.Kind {
		case jobs.HoldAll:
			words = append(words, "--all")
		case jobs.HoldHost:
			words = append(words, "--host", x.Host)
		case jobs.HoldFiles:
			words = append(words, shortID(j.ID), "--with-files")
		default:
			words = append(words, shortID(j.ID))
		}
		if g.profile != "" || own != j.Profile {
			words = append(words, "--profile", j.Profile)
		}
		out = append(out, heldBy{x, strings.Join(words, " ")})
	}
	return out
}

// heldText says what holds a job up and what to do about it, "" for nothing.
func heldText(held []heldBy) string {
	var parts []string
	for _, h := range held {
		parts = append(parts, h.String())
	}
	return strings.Join(parts, "; ")
}

// whyHeld is heldText with the reason of a pause that no person made.
func whyHeld(j jobs.Job, held []heldBy) string {
	if jobs.Unreached(j) {
		return j.Note + "; " + heldText(held)
	}
	return heldText(held)
}

// heldMark is heldText for a cell of a table: "paused", "all paused", "HOST paused".
func heldMark(held []heldBy) string {
	var parts []string
	for _, h := range held {
		switch h.Kind {
		case jobs.HoldAll:
			parts = append(parts, "all paused")
		case jobs.HoldHost:
			parts = append(parts, h.Host+" paused")
		case jobs.HoldFiles:
			parts = append(parts, "files elsewhere")
		default:
			parts = append(parts, "paused")
		}
	}
	return strings.Join(parts, ", ")
}

// heldNow is what keeps a desk from working on a job, by what its engine has read.
func (g *globals) heldNow(d *app.Desk, j jobs.Job) []heldBy {
	return g.resumable(j, d.Config.Profile.Name, d.Engine.Counts().Flow.Holds(j, d.Host()))
}

// heldError is how a command ends that did not do what it is for, since a pause keeps it
// from that. nil when nothing is held.
func (g *globals) heldError(ctx context.Context, d *app.Desk, what string, all []jobs.Job) error {
	if len(all) == 0 {
		return nil
	}
	var failed []error
	h := g.holdings(ctx, d.Engine)
	for _, j := range all {
		if held := h.by(j); len(held) > 0 {
			failed = append(failed, fmt.Errorf("job %s %s: %s", shortID(j.ID), what, whyHeld(j, held)))
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return &exitError{ExitPaused, errors.Join(failed...)}
}

// unsent are jobs whose create was not sent.
func unsent(all []jobs.Job) (out []jobs.Job) {
	for _, j := range all {
		if j.State == jobs.Planned {
			out = append(out, j)
		}
	}
	return out
}

const (
	whatUnsent  = "is kept and not sent yet"
	whatUnasked = "was not asked for"
)
