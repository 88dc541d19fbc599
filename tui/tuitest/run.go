package tuitest

import (
	"bytes"
	"runtime"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// run runs a command and delivers its message. A command that waits for something (a timer, news, a
// server) beyond the limit is set aside: the first Send or Settle after its message has come delivers
// it. One that only gets no processor is waited for, so that a busy machine changes no order.
func (d *Driver) run(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil {
		return
	}
	d.count()
	id, done := make(chan string, 1), make(chan tea.Msg, 1)
	go func() { id <- goroutine(); done <- cmd() }()
	began, timer := time.Now(), time.NewTimer(d.Limit)
	defer timer.Stop()
	for name := ""; ; {
		select {
		case msg := <-done:
			d.deliver(msg)
			return
		case <-timer.C:
		}
		select {
		case name = <-id:
		default:
		}
		if time.Since(began) < d.Busy && (name == "" || busy(name)) {
			timer.Reset(d.Limit)
			continue
		}
		d.aside++
		go func() { d.late <- <-done }()
		return
	}
}

// goroutine is the name that a trace gives the goroutine that calls it, "goroutine 7 ".
func goroutine() string {
	var buf [64]byte
	head, _, _ := bytes.Cut(buf[:runtime.Stack(buf[:], false)], []byte("["))
	return string(head)
}

// busy reports whether a goroutine works, or would if it could: it does not wait for a message, a time
// or a descriptor.
func busy(name string) bool {
	buf := make([]byte, 1<<20)
	_, state, found := bytes.Cut(buf[:runtime.Stack(buf, true)], []byte("\n"+name+"["))
	if !found {
		return false
	}
	state, _, _ = bytes.Cut(state, []byte("]"))
	for _, s := range []string{"running", "runnable", "syscall", "preempted", "sync.Mutex.Lock", "GC assist"} {
		if bytes.HasPrefix(state, []byte(s)) {
			return true
		}
	}
	return false
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
