package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"darkroom/jobs"
)

// maxNamed is how many examples a finding names.
const maxNamed = 10

// Health is what Examine found.
type Health struct {
	Path      string         `json:"path"`
	Schema    int            `json:"schema"`
	Jobs      int64          `json:"jobs"`
	Active    int64          `json:"active"`
	Bodies    int64          `json:"bodies"`
	Bytes     int64          `json:"bytes"`      // of the file
	LogBytes  int64          `json:"log_bytes"`  // of its write-ahead log
	FreeBytes int64          `json:"free_bytes"` // in the file, to be used again
	Leases    []jobs.Lease   `json:"leases"`
	Backups   []Backup       `json:"backups"`
	Aside     []string       `json:"aside"` // what was set aside by a restore
	Findings  []jobs.Finding `json:"findings"`
	// Warnings tell of what is no damage, but may cost something one day: that no backup has the
	// latest changes.
	Warnings []string `json:"warnings"`
}

// Sound reports whether nothing is wrong that was not fixed.
func (h *Health) Sound() bool {
	for _, f := range h.Findings {
		if !f.Fixed {
			return false
		}
	}
	return true
}

// Examine looks through a whole history, its backups and its files on the disk, and with
// fix repairs what can be repaired without losing anything. It reads every page and every
// body; others may work meanwhile.
func Examine(ctx context.Context, path string, fix bool) (*Health, error) {
	return ExamineTelling(ctx, path, fix, func(string) {})
}

// ExamineTelling is Examine, and tells what it looks through whenever that is something else, from any
// goroutine.
func ExamineTelling(ctx context.Context, path string, fix bool, tell func(string)) (*Health, error) {
	lockOnce()
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	if _, err := os.Stat(path); err != nil && len(backups(path)) == 0 {
		return nil, fmt.Errorf("history: %w", err)
	}
	h := &Health{Path: path, Leases: []jobs.Lease{}, Backups: []Backup{}, Aside: []string{}, Findings: []jobs.Finding{}, Warnings: []string{}}
	s, err := openHeld(ctx, path)
	if !fix {
		s, err = orRead(ctx, s, err)
	}
	if d, ok := errors.AsType[*DamageError](err); ok {
		tell("the backups")
		if err := h.backups(ctx); err != nil {
			return nil, err
		}
		return h, h.damaged(ctx, d, fix)
	}
	if err != nil {
		return nil, errors.Join(err, h.backups(ctx))
	}
	if why := s.ReadOnly(); why != nil {
		h.Warnings = append(h.Warnings, why.Note())
	}
	x := &examination{h: h, s: s, fix: fix, now: time.Now(), tell: tell}
	err = x.run(ctx)
	err = errors.Join(err, s.Close())
	if d, ok := errors.AsType[*DamageError](err); ok {
		return h, h.damaged(ctx, d, fix)
	}
	return h, err
}

// damaged reports a file that cannot be used, and with fix puts a backup in its place.
func (h *Health) damaged(ctx context.Context, d *DamageError, fix bool) error {
	f := jobs.Finding{Name: "damaged", Count: 1, Text: d.Error(), Fixable: len(d.Backups) > 0}
	if fix && f.Fixable {
		suspect(h.Path)
		s, err := Open(ctx, h.Path)
		switch {
		case err != nil:
			f.Text = err.Error()
		case s.Restored() != nil:
			f.Text, f.Fixed = s.Restored().String(), true
			h.Aside = append(h.Aside, s.Restored().Aside...)
		}
		if err == nil {
			if err := s.Close(); err != nil {
				return err
			}
		}
	}
	h.Findings = append(h.Findings, f)
	return nil
}

func (h *Health) backups(ctx context.Context) error {
	all, err := Backups(h.Path)
	if err != nil {
		return err
	}
	for _, b := range all {
		if b.Jobs, err = CheckBackup(ctx, b.Path); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			b.Problem = err.Error()
			h.Findings = append(h.Findings, jobs.Finding{Name: "bad_backup", Count: 1, Text: b.Problem, Named: []string{b.Path}})
		}
		h.Backups = append(h.Backups, b)
	}
	if aside, err := filepath.Glob(globEscape(h.Path) + ".aside-*"); err == nil && aside != nil {
		h.Aside = aside
	}
	return nil
}

// examination is one run through a history that opens.
type examination struct {
	h   *Health
	s   *SQLite
	fix bool
	now time.Time
	// tell gets what is looked through.
	tell func(string)
	// changed are bodies that are not what they were; nil for none.
	changed *jobs.Finding
}

// run takes the steps. What only reads pages and bodies goes on beside the others, which need another
// core and have findings of their own; nothing is repaired before the pages are known to be sound.
func (x *examination) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	backups := &Health{Path: x.h.Path, Backups: []Backup{}, Aside: x.h.Aside}
	besides := make(chan error, 1)
	go func() {
		err := backups.backups(ctx)
		if err == nil {
			x.tell("the kept bodies")
			err = x.bodies(ctx)
		}
		besides <- err
	}()
	x.tell("the pages and the backups")
	err := x.pages(ctx)
	if err != nil && !errors.As(err, new(*DamageError)) {
		stop()
	}
	if also := <-besides; err == nil {
		err = also
	}
	x.h.Backups, x.h.Aside = backups.Backups, backups.Aside
	x.h.Findings = append(x.h.Findings, backups.Findings...)
	if x.changed != nil {
		x.h.Findings = append(x.h.Findings, *x.changed)
	}
	for _, step := range []struct {
		name string
		take func(context.Context) error
	}{{"the numbers", x.numbers}, {"the backups", x.backedUp}, {"what belongs to what", x.relations}, {"the leases", x.leases}, {"the files", x.files}} {
		if err != nil {
			break
		}
		x.tell(step.name)
		err = step.take(ctx)
	}
	return explain(x.s.path, err)
}

// pages is SQLite's own check; what it finds is damage.
func (x *examination) pages(ctx context.Context) error {
	first := ""
	err := x.s.reader(ctx).each(`PRAGMA integrity_check(20)`, nil, func(r scanner) error {
		var result string
		if err := r.Scan(&result); err != nil {
			return err
		}
		if result != "ok" && first == "" {
			first = result
		}
		return nil
	})
	if err != nil || first == "" {
		return err
	}
	suspect(x.s.path)
	return &DamageError{Path: x.s.path, What: (&brokenError{first}).Error(), Backups: backups(x.s.path)}
}

func (x *examination) numbers(ctx context.Context) error {
	t := x.s.reader(ctx)
	h := x.h
	for _, n := range []struct {
		query string
		into  any
	}{
		{`PRAGMA user_version`, &h.Schema},
		{`SELECT count(*) FROM jobs`, &h.Jobs},
		{`SELECT count(*) FROM jobs WHERE state IN ('planned', 'submitting', 'queued', 'running', 'unknown')`, &h.Active},
		{`SELECT (SELECT count(*) FROM payloads) + (SELECT count(*) FROM job_answers)`, &h.Bodies},
		{`SELECT p.page_size * f.freelist_count FROM pragma_page_size p, pragma_freelist_count f`, &h.FreeBytes},
	} {
		if err := t.row(n.query).Scan(n.into); err != nil {
			return err
		}
	}
	for ext, into := range map[string]*int64{"": &h.Bytes, "-wal": &h.LogBytes} {
		if st, err := os.Stat(x.s.path + ext); err == nil {
			*into = st.Size()
		}
	}
	return nil
}

// backupAge is the age from which a backup is old: one is made each day.
const backupAge = 24 * time.Hour

// backedUp warns of jobs that no backup has, or only as they were long ago.
func (x *examination) backedUp(ctx context.Context) error {
	const how = "; `darkroom history backup` makes one, and a console or poller once a day when it runs for some seconds"
	newest := x.h.Newest()
	if newest == nil {
		if x.h.Jobs > 0 {
			x.h.Warnings = append(x.h.Warnings, "there is no good backup"+how)
		}
		return nil
	}
	age := x.now.Sub(newest.Made)
	if age <= backupAge {
		return nil
	}
	var rev int64
	if err := x.s.reader(ctx).row(`SELECT value FROM counters WHERE name = 'rev'`).Scan(&rev); err != nil {
		return err
	}
	had, err := revOf(ctx, newest.Path)
	if err == nil && rev != had {
		x.h.Warnings = append(x.h.Warnings, fmt.Sprintf("the newest good backup is %d h old, and jobs changed since%s", int(age.Hours()), how))
	}
	return err
}

// Newest is the newest good backup, nil for none.
func (h *Health) Newest() *Backup {
	for i := range h.Backups {
		if h.Backups[i].Problem == "" {
			return &h.Backups[i]
		}
	}
	return nil
}

// leases lists who holds jobs, and with fix releases those whose owners are gone.
func (x *examination) leases(ctx context.Context) error {
	const lives = `(max(p.lease_until) > ?1 OR EXISTS (SELECT 1 FROM pollers o WHERE o.owner = p.lease_owner AND o.lease_until > ?1))`
	var dead []string
	var left int64
	err := x.s.reader(ctx).each(`SELECT p.lease_owner, count(*), `+lives+` FROM job_polls p
		WHERE p.lease_owner <> '' GROUP BY p.lease_owner`, []any{millis(x.now)}, func(r scanner) error {
		var l jobs.Lease
		err := r.Scan(&l.Owner, &l.Jobs, &l.Lives)
		x.h.Leases = append(x.h.Leases, l)
		if !l.Lives {
			dead = append(dead, l.Owner)
			left += int64(l.Jobs)
		}
		return err
	})
	if err != nil || len(dead) == 0 {
		return err
	}
	f := jobs.Finding{Name: "expired_leases", Count: left, Fixable: true, Named: dead[:min(len(dead), maxNamed)],
		Text: fmt.Sprintf("%d jobs have a lease that has expired; any console takes them over", left)}
	if x.fix {
		for _, owner := range dead {
			if err := x.s.Release(ctx, owner); err != nil {
				return err
			}
		}
		f.Fixed = true
	}
	x.h.Findings = append(x.h.Findings, f)
	return nil
}

// files checks that the results still lie where they were saved.
func (x *examination) files(ctx context.Context) error {
	var gone int64
	var named []string
	err := x.s.reader(ctx).each(`SELECT job_id, path, bytes FROM job_results WHERE state = ? AND path <> ''`,
		[]any{string(jobs.FileSaved)}, func(r scanner) error {
			var id, path string
			var size int64
			if err := r.Scan(&id, &path, &size); err != nil {
				return err
			}
			if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() && st.Size() == size {
				return nil
			}
			if gone++; gone <= maxNamed {
				named = append(named, id+" "+path)
			}
			return nil
		})
	if err != nil || gone == 0 {
		return err
	}
	x.h.Findings = append(x.h.Findings, jobs.Finding{Name: "missing_files", Count: gone, Named: named,
		Text: fmt.Sprintf("%d saved results are not where they were saved, or have another size; "+
			"`darkroom jobs download JOB` fetches one again, while the gateway has it", gone)})
	return nil
}
