package lookup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/inspect"
	"darkroom/jobs/schedule"
)

// Profile is one whose gateway can be asked.
type Profile struct {
	Name string
	// Open makes its desk, without a history, when it is first needed. An error says why its
	// gateway cannot be asked.
	Open func(ctx context.Context) (*Desk, error)
}

// Profiles look ids up at the gateways of several profiles. Each has its own client, and so its own
// key. Make it with [NewProfiles].
type Profiles struct {
	names   []string
	open    []func(context.Context) (*Desk, error)
	history History
}

// NewProfiles asks the given profiles, the one in use first. The history is that of this machine, nil
// for none. A desk is opened once at most.
func NewProfiles(all []Profile, history History) *Profiles {
	p := &Profiles{history: history}
	for _, x := range all {
		var (
			once sync.Once
			desk *Desk
			err  error
		)
		p.names = append(p.names, x.Name)
		p.open = append(p.open, func(ctx context.Context) (*Desk, error) {
			once.Do(func() { desk, err = x.Open(ctx) })
			return desk, err
		})
	}
	return p
}

// Names returns the names of the profiles, in order.
func (p *Profiles) Names() []string { return slices.Clone(p.names) }

// Answer is what the gateway of one profile says of an id.
type Answer struct {
	Profile string
	Result
	// Left says why the gateway was not asked, nil if it was.
	Left error
}

// Knows reports whether the gateway has the task.
func (a *Answer) Knows() bool { return a.Left == nil && a.Findings.Task() != nil }

// Words says what the gateway said, as a verb.
func (a *Answer) Words() string {
	switch {
	case a.Left != nil:
		return "not asked: " + a.Left.Error()
	case a.Knows():
		return "knows it: " + a.State()
	case a.State() == NotFound && a.Findings.Mute() != "":
		return "no answer from the likely route; no other knows it"
	case a.State() == NotFound:
		return "does not know it"
	case a.Err != nil:
		return "not asked: " + a.Err.Error()
	}
	if _, at := client.Telling(a.results()); at >= 0 {
		return "did not tell: " + inspect.ErrorText(a.Findings.Routes[at].Result.Err)
	}
	return "did not tell"
}

// Found is what the gateways of several profiles say of an id.
type Found struct {
	// Result is from the profile that knows the id, the first of several; else from the one that
	// says the most. Answers of different gateways are not merged: one id may name two tasks.
	Result
	Profile string
	// Answers has the answers of all profiles, in their order.
	Answers []Answer
}

// Knowing returns the profiles that know the id.
func (f *Found) Knowing() (names []string) {
	for i := range f.Answers {
		if f.Answers[i].Knows() {
			names = append(names, f.Answers[i].Profile)
		}
	}
	return names
}

// AskedWords says who was asked, and who was not and why.
func (f *Found) AskedWords() string {
	var asked, left []string
	for i := range f.Answers {
		if a := &f.Answers[i]; a.Left == nil {
			asked = append(asked, a.Profile)
		} else {
			left = append(left, a.Profile+" ("+a.Left.Error()+")")
		}
	}
	text := "asked: " + cmp.Or(strings.Join(asked, ", "), "nobody")
	if len(left) > 0 {
		text += "; not asked: " + strings.Join(left, ", ")
	}
	return client.CleanLine(text)
}

// One looks one subject up: at the profile of its job where the history has one, else at all of
// them at once. each gets the answers as they come, one after another; it may be nil.
func (p *Profiles) One(ctx context.Context, s inspect.Subject, each func(Answer)) Found {
	return p.one(ctx, s, each, p.tallies())
}

// Each is [Desk.Each] for several profiles.
func (p *Profiles) Each(ctx context.Context, all []inspect.Subject, found func(i int, f Found)) {
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		hits = p.tallies()
		slot = make(chan struct{}, 6)
	)
	for i := range all {
		select {
		case slot <- struct{}{}:
		case <-ctx.Done():
			wg.Wait()
			return
		}
		wg.Go(func() {
			defer func() { <-slot }()
			f := p.one(ctx, all[i], nil, hits)
			if ctx.Err() != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			found(i, f)
		})
	}
	wg.Wait()
}

func (p *Profiles) tallies() []*tally {
	hits := make([]*tally, len(p.names))
	for i := range hits {
		hits[i] = &tally{n: map[string]int{}}
	}
	return hits
}

func (p *Profiles) one(ctx context.Context, s inspect.Subject, each func(Answer), hits []*tally) Found {
	job, herr := (&Desk{History: p.history}).Find(ctx, s)
	f := Found{Answers: make([]Answer, len(p.names))}
	var (
		wg sync.WaitGroup
		mu sync.Mutex
	)
	for i, name := range p.names {
		wg.Go(func() {
			a := Answer{Profile: name, Result: Result{Subject: s}}
			switch {
			case errors.Is(herr, ErrSeveral):
				a.Err = herr
			case job != nil && job.Profile != name && slices.Contains(p.names, job.Profile):
				a.Left = fmt.Errorf("the history has it of the profile %s", job.Profile)
			case job == nil && s.Kind == inspect.KindRequest:
				a.Left = ErrRequest
			default:
				a = p.at(ctx, i, s, job, hits[i])
			}
			if !errors.Is(herr, ErrSeveral) {
				a.HistoryErr = herr
			}
			mu.Lock()
			defer mu.Unlock()
			f.Answers[i] = a
			if each != nil && ctx.Err() == nil {
				each(a)
			}
		})
	}
	wg.Wait()
	f.choose(job)
	return f
}

// at asks one profile's gateway.
func (p *Profiles) at(ctx context.Context, i int, s inspect.Subject, job *jobs.Job, hits *tally) Answer {
	a := Answer{Profile: p.names[i], Result: Result{Subject: s}}
	desk, err := p.open[i](ctx)
	if err != nil {
		a.Left = err
		return a
	}
	d := *desk
	if job != nil {
		d.History = known{job: *job}
	}
	as := s
	if job != nil && s.Kind != inspect.KindID { // found by the history already
		as = inspect.Subject{Kind: inspect.KindID, Value: job.ID}
	}
	a.Result = d.one(ctx, as, hits)
	a.Subject, a.Findings.Plan = s, planOf(p.history, job)
	return a
}

// choose takes the answer that tells the most.
func (f *Found) choose(job *jobs.Job) {
	at, best := -1, -1
	for i := range f.Answers {
		a, n := &f.Answers[i], 0
		switch {
		case a.Knows() && a.Findings.Task().Status != client.StatusUnknown:
			n = 5
		case a.Knows():
			n = 4
		case a.Left == nil && job != nil:
			n = 3
		case a.State() == NotFound && a.Left == nil:
			n = 2
		case a.Left == nil:
			n = 1
		}
		if n > best {
			at, best = i, n
		}
	}
	if at >= 0 {
		f.Result, f.Profile = f.Answers[at].Result, f.Answers[at].Profile
		if left := f.Answers[at].Left; left != nil && f.Err == nil {
			f.Err = left
		}
	}
	if f.Findings.Job == nil {
		f.Findings.Job = job
	}
}

// known is a history that has read one job already.
type known struct {
	History
	job jobs.Job
}

// Get implements History.
func (k known) Get(context.Context, string) (jobs.Job, error) { return k.job, nil }

// PlanOf implements Planner.
func (k known) PlanOf(j *jobs.Job) *schedule.Plan { return planOf(k.History, j) }
