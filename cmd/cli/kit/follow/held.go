package follow

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
	"darkroom/jobs"
)

// HeldBy is a pause that holds a job up, with the command that ends it.
type HeldBy struct {
	jobs.Hold
	Resume string `json:"resume"`
}

func (h HeldBy) String() string {
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
	k     *kit.Kit
	own   string               // the profile in use
	flows map[string]jobs.Flow // by profile
	hosts map[string]string    // of the gateways, by profile
}

// HoldingsOf reads the pauses. Where they can not be read nothing counts as held but what is
// paused by itself: what the command is about is not lost for that.
func HoldingsOf(ctx context.Context, k *kit.Kit, p pauses) *holdings {
	h := &holdings{k: k, flows: map[string]jobs.Flow{}, hosts: map[string]string{}}
	if c, err := k.Config(); err == nil {
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
		if c, err := config.Load(config.Request{Paths: h.k.IO.Paths, Profile: profile, Env: h.k.IO.Env}); err == nil {
			host = app.HostOf(c.Profile)
		}
		h.hosts[profile] = host
	}
	return host
}

func (h *holdings) By(j jobs.Job) []HeldBy {
	f := h.flows[j.Profile]
	host := ""
	if f.Hosts != "" {
		host = h.host(j.Profile)
	}
	return Resumable(h.k, j, h.own, f.Holds(j, host))
}

// Resumable names the command that ends each pause; own is the profile in use.
func Resumable(k *kit.Kit, j jobs.Job, own string, holds []jobs.Hold) []HeldBy {
	var out []HeldBy
	for _, x := range holds {
		words := []string{"darkroom", "jobs", "resume"}
		switch x.Kind {
		case jobs.HoldAll:
			words = append(words, "--all")
		case jobs.HoldHost:
			words = append(words, "--host", x.Host)
		case jobs.HoldFiles:
			words = append(words, kit.ShortID(j.ID), "--with-files")
		default:
			words = append(words, kit.ShortID(j.ID))
		}
		if k.Profile != "" || own != j.Profile {
			words = append(words, "--profile", j.Profile)
		}
		out = append(out, HeldBy{x, strings.Join(words, " ")})
	}
	return out
}

// HeldText says what holds a job up and what to do about it, "" for nothing.
func HeldText(held []HeldBy) string {
	var parts []string
	for _, h := range held {
		parts = append(parts, h.String())
	}
	return strings.Join(parts, "; ")
}

// whyHeld is heldText with the reason of a pause that no person made.
func whyHeld(j jobs.Job, held []HeldBy) string {
	if jobs.Unreached(j) {
		return j.Note + "; " + HeldText(held)
	}
	return HeldText(held)
}

// heldMark is heldText for a cell of a table: "paused", "all paused", "HOST paused".
func heldMark(held []HeldBy) string {
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

// HeldNow is what keeps a desk from working on a job, by what its engine has read.
func HeldNow(k *kit.Kit, d *app.Desk, j jobs.Job) []HeldBy {
	return Resumable(k, j, d.Config.Profile.Name, d.Engine.Counts().Flow.Holds(j, d.Host()))
}

// HeldError is how a command ends that did not do what it is for, since a pause keeps it
// from that. nil when nothing is held.
func HeldError(ctx context.Context, k *kit.Kit, d *app.Desk, what string, all []jobs.Job) error {
	if len(all) == 0 {
		return nil
	}
	var failed []error
	h := HoldingsOf(ctx, k, d.Engine)
	for _, j := range all {
		if held := h.By(j); len(held) > 0 {
			failed = append(failed, fmt.Errorf("job %s %s: %s", kit.ShortID(j.ID), what, whyHeld(j, held)))
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return kit.Exit(kit.ExitPaused, errors.Join(failed...))
}

// Unsent are jobs whose create was not sent.
func Unsent(all []jobs.Job) (out []jobs.Job) {
	for _, j := range all {
		if j.State == jobs.Planned {
			out = append(out, j)
		}
	}
	return out
}

// What a pause kept a command from, for HeldError.
const (
	WhatUnsent  = "is kept and not sent yet"
	WhatUnasked = "was not asked for"
)
