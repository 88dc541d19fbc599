package inspect

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/disk"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
	"darkroom/jobs/bundle"
	"darkroom/jobs/inspect"
	"darkroom/jobs/lookup"
)

// handover is --save and --bundle: what is written for somebody else, and read from them.
type handover struct {
	open, save string
	without    []string
	dryRun     bool
}

// parts returns what --without may leave out.
func parts() []string { return []string{"prompts", "media", "paths", "queries"} }

// check refuses what does not go together.
func (h *handover) check(args []string, table string) error {
	for _, w := range h.without {
		if !slices.Contains(parts(), w) {
			return kit.Usage("--without %q: allowed are %s", w, strings.Join(parts(), ", "))
		}
	}
	switch {
	case h.open != "" && (len(args) > 0 || table != "" || h.save != ""):
		return kit.Usage("--bundle shows what is in a bundle: give no ids and no --save beside it")
	case h.save == "" && (h.dryRun || len(h.without) > 0):
		return kit.Usage("--dry-run and --without are for --save")
	}
	return nil
}

// write writes what was found as a bundle, after it has listed what goes in.
func (h *handover) write(ctx context.Context, k *kit.Kit, history jobs.Reader, all []*found) error {
	results := make([]lookup.Result, 0, len(all))
	for _, f := range all {
		results = append(results, f.result)
	}
	var from bundle.History // of no type at all where there is none
	if history != nil {
		from = history
	}
	cases, err := bundle.Cases(ctx, from, results)
	if err != nil {
		return err
	}
	without := func(part string) bool { return slices.Contains(h.without, part) }
	o := bundle.Options{NoPrompts: without("prompts"), NoMedia: without("media"), NoPaths: without("paths"), NoQueries: without("queries"), Program: k.Version, Made: time.Now()}
	files, err := bundle.Files(cases, o)
	if err != nil {
		return err
	}
	var size int64
	for _, f := range files {
		size += int64(len(f.Data))
		k.IO.Notef("  %-48s %s\n", f.Name, human.Bytes(int64(len(f.Data))))
	}
	if h.dryRun {
		k.IO.Notef("darkroom: %s, %s; nothing is written (--dry-run)\n", human.Plural(len(files), "file"), human.Bytes(size))
		return nil
	}
	if err := disk.Replace(h.save, func(f *os.File) error { return bundle.Write(f, files, o.Made) }); err != nil {
		return fmt.Errorf("--save %s: %w", client.CleanLine(h.save), err)
	}
	k.IO.Notef("darkroom: %s, %s, in %s; `darkroom inspect --bundle %s` shows it\n", human.Plural(len(files), "file"), human.Bytes(size), client.CleanLine(h.save), client.CleanLine(h.save))
	return nil
}

// show prints what is in a bundle, as it was seen; nobody is asked.
func (o *options) show(ctx context.Context) error {
	const limit = 512 << 20
	data, err := o.k.IO.Read(ctx, "--bundle", o.open, limit)
	if err != nil {
		return err
	}
	b, err := bundle.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return kit.Usage("%s: %w", kit.ShownFile("--bundle", o.open), err)
	}
	cat, err := o.k.Catalog()
	if err != nil {
		return err
	}
	o.k.IO.Notef("darkroom: as it was seen %s; nobody is asked\n", o.times.Clock().Stamp(b.Made))
	if len(b.Without) > 0 {
		o.k.IO.Notef("darkroom: left out: %s\n", client.CleanLine(strings.Join(b.Without, ", ")))
	}
	var ids list
	for _, c := range b.Cases {
		ids.all = append(ids.all, asked{Subject: inspect.Subject{Kind: c.Result.Subject.Kind, Value: c.Result.Subject.Value}})
	}
	if err := o.rawness.check(len(ids.all)); err != nil {
		return err
	}
	p := o.printer(cat, ids)
	for i, c := range b.Cases {
		f, _ := newFound(cat, "", c.Result) // what failed then does not fail this command
		f.judge(cat, b.Made)
		f.Events, f.Exchanges = c.Events, c.Exchanges
		p.add(i, f, nil)
	}
	return o.finish(ctx, nil, p)
}
