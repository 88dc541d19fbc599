package tuitest

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// run runs a command and delivers its message. A command that takes longer than the limit is set
// aside: the first Send or Settle after its message has come delivers it.
func (d *Driver) run(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil {
		return
	}
	d.count()
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	timer := time.NewTimer(d.Limit)
	defer timer.Stop()
	select {
	case msg := <-done:
		d.deliver(msg)
	case <-timer.C:
		d.aside++
		go func() { d.late <- <-done }()
	}
}

// collect delivers what commands that were set aside have sent since.
func (d *Driver) collect() {
	d.t.Helper()
	for {
		select {
		case msg := <-d.late:
			d.aside--
			d.deliver(msg)
		default:
			return
		}
	}
}

// Settle waits until the condition holds, and meanwhile delivers the messages of commands that were
// set aside. The test fails if the condition does not hold within the time given.
func (d *Driver) Settle(within time.Duration, what string, ok func() bool) {
	d.t.Helper()
	end := time.NewTimer(within)
	defer end.Stop()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for {
		d.collect()
		if ok() {
			return
		}
		select {
		case msg := <-d.late:
			d.aside--
			d.deliver(msg)
		case <-look.C:
		case <-end.C:
			d.t.Fatalf("tuitest: not within %v: %s\n%s", within, what, d.View())
		}
	}
}

// Waiting returns the number of commands that were set aside and have sent nothing yet.
func (d *Driver) Waiting() int { return d.aside }

func (d *Driver) count() {
	d.t.Helper()
	if d.messages++; d.messages > maxMessages {
		d.t.Fatalf("tuitest: more than %d commands: the model keeps itself busy", maxMessages)
	}
}
