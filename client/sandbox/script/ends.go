package script

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"darkroom/client/text"
)

// Expiry is when the addresses of a task's results end. The zero value is never.
type Expiry struct {
	// After is how many seconds an address lasts from the answer that names it; with Fixed, from
	// the end of the task, so that a later answer names one that has ended.
	After int  `json:"after,omitempty"`
	Fixed bool `json:"fixed,omitempty"`
	// Status is what an ended address answers, 403 or 410.
	Status int `json:"status,omitempty"`
}

const endMax = 365 * 24 * 3600 // seconds

// applyEnd applies a directive about what ends with time, or about how times are written. ok is
// false for other directives.
func (sc *Script) applyEnd(d directive) (ok bool, err error) {
	switch d.name {
	case "expire":
		e := Expiry{After: 3600, Status: http.StatusForbidden}
		_, e.Fixed = d.args["fixed"]
		switch s := d.args["status"]; s {
		case "", "403":
		case "410":
			e.Status = http.StatusGone
		default:
			return true, fmt.Errorf("sandbox directive expire: status=%s: allowed are 403, 410", text.Clip(s, 40))
		}
		if err := d.count("after", 1, endMax, &e.After); err != nil {
			return true, err
		}
		sc.Expire = e
		return true, d.only("after", "status", "fixed")
	case "forget":
		sc.Forget = 24 * 3600
		if err := d.count("after", 1, endMax, &sc.Forget); err != nil {
			return true, err
		}
		return true, d.only("after")
	case "zone", "no-zone":
		by := d.args["by"]
		if by == "" {
			by = "+00:00"
		}
		if _, err := time.Parse(zoneForm, by); err != nil {
			return true, fmt.Errorf("sandbox directive %s: by=%s: an offset as +08:00 is needed", d.name, text.Clip(by, 40))
		}
		sc.Forms.Zone, sc.Forms.NoZone = by, d.name == "no-zone"
		return true, d.only("by")
	default:
		return false, nil
	}
}

const (
	zoneForm  = "-07:00"
	naiveForm = "2006-01-02 15:04:05.000" // as the second vendor-style format writes times
)

// inZone writes every time as text: with its zone or, with NoZone, as a clock there shows it.
func (f Forms) inZone(key string, v any) any {
	switch t := v.(type) {
	case map[string]any:
		for k, x := range t {
			t[k] = f.inZone(k, x)
		}
	case []any:
		for i := range t {
			t[i] = f.inZone("", t[i])
		}
	case json.Number, string:
		if at, ok := moment(fmt.Sprint(t)); ok && timeKeys[key] {
			return f.clock(at)
		}
	}
	return v
}

func (f Forms) clock(at time.Time) string {
	zone, err := time.Parse(zoneForm, f.Zone)
	if err != nil {
		return at.UTC().Format(time.RFC3339) // it was checked when it was read
	}
	at = at.In(zone.Location())
	if f.NoZone {
		return at.Format(naiveForm)
	}
	return at.Format("2006-01-02T15:04:05-07:00")
}

// moment reads a time in one of the forms that the embedded gateway writes.
func moment(s string) (time.Time, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n > 0 {
		if n > 1e11 {
			return time.UnixMilli(n), true
		}
		return time.Unix(n, 0), true
	}
	for _, form := range []string{naiveForm, time.RFC3339} {
		if t, err := time.Parse(form, strings.TrimSpace(s)); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
