package lookup

import (
	"fmt"
	"time"

	"darkroom/client/human"
)

// Holder is a [Gateway] that tells until when its host holds look-ups back after a 429, zero if it
// does not; narrow says that only one task is held back, and the others go on.
type Holder interface {
	Hold() (until time.Time, narrow bool)
}

// Progress is how far a look-up has come.
type Progress struct {
	Done, All int
	// Host is the gateway's host.
	Host string
	// Left is how long it still holds look-ups back, 0 if it does not, see [Holder].
	Left   time.Duration
	Narrow bool
}

// Held asks a gateway how long it still holds look-ups back; one that is not a [Holder] never does.
func (p *Progress) Held(g any, now time.Time) {
	h, ok := g.(Holder)
	if !ok {
		return
	}
	until, narrow := h.Hold()
	p.Left, p.Narrow = max(0, until.Sub(now)), narrow
}

// Hold says how long look-ups are still held back, "" if they are not.
func (p Progress) Hold() string {
	host := p.Host
	if host == "" {
		host = "the gateway"
	}
	left := (p.Left + time.Second - 1).Truncate(time.Second) // it counts down to 1 s
	switch {
	case p.Left <= 0:
		return ""
	case p.Narrow:
		return fmt.Sprintf("%s refuses one task for %s", host, human.Age(left))
	}
	return fmt.Sprintf("%s is on hold for %s", host, human.Age(left))
}

// Words says how far it is, such as "example.com is on hold for 23 s, 12 of 40 done".
func (p Progress) Words() string {
	text := fmt.Sprintf("%d of %d done", p.Done, p.All)
	if p.All == 1 {
		text = "asking …"
	}
	if hold := p.Hold(); hold != "" {
		return hold + ", " + text
	}
	return text
}
