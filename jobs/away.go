package jobs

import "time"

// unread and unwritten take in what came of reading the history and of renewing the beat in
// it; nil for no failure. Readers are told of the first failure until all is well again.
func (l *loop) unread(now time.Time, err error)    { l.reach(now, &l.readErr, err) }
func (l *loop) unwritten(now time.Time, err error) { l.reach(now, &l.beatErr, err) }

func (l *loop) reach(now time.Time, part *error, err error) {
	if l.ctx.Err() != nil || *part == nil && err == nil {
		return // at the end everything fails
	}
	*part = err
	why := l.beatErr
	if why == nil {
		why = l.readErr
	}
	if why != nil {
		l.nextLook = earlier(l.nextLook, now.Add(l.e.o.Look))
	}
	l.e.board.flows(func(f *Flow) {
		switch {
		case why == nil:
			f.Away, f.Why = time.Time{}, ""
		case f.Away.IsZero():
			f.Away, f.Why = now, why.Error()
		}
	})
}

// begun starts the loop; it tries on where that is asked for.
func (l *loop) begun() error {
	for {
		err := l.start()
		if err == nil || !l.e.o.Patient || l.ctx.Err() != nil {
			l.unread(l.e.now(), err)
			return err
		}
		l.unread(l.e.now(), err)
		again := time.NewTimer(l.e.o.Look)
		select {
		case <-again.C:
		case <-l.ctx.Done():
			again.Stop()
			return nil
		}
	}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
