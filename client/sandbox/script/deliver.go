package script

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"darkroom/client/text"
)

// Media is what a result is to be like; what is 0 does not apply to it.
type Media struct {
	Width      int   `json:"width,omitempty"`
	Height     int   `json:"height,omitempty"`
	FPS        int   `json:"fps,omitempty"`
	DurationMS int64 `json:"duration_ms,omitempty"`
	SampleRate int   `json:"sample_rate,omitempty"`
	Channels   int   `json:"channels,omitempty"`
	Sound      bool  `json:"sound,omitempty"` // of a film
}

// Deliver is in which ways results differ from what was asked for. The zero value is in none.
type Deliver struct {
	Duration   Amount `json:"duration,omitzero"` // seconds
	Width      Amount `json:"width,omitzero"`    // pixels; a part is of both sides
	Height     Amount `json:"height,omitzero"`
	FPS        Amount `json:"fps,omitzero"`
	SampleRate Amount `json:"sample_rate,omitzero"`
	Channels   Amount `json:"channels,omitzero"`
	Silent     bool   `json:"silent,omitempty"` // films have no sound
	// ClaimAsked says that answers tell what was asked for, in place of what was made.
	ClaimAsked bool `json:"claim_asked,omitempty"`
}

// Amount is a number in place of the one asked for, or a part of that. The zero value leaves it alone.
type Amount struct {
	Part float64 `json:"part,omitempty"` // 0.5 for half of what was asked for
	Is   float64 `json:"is,omitempty"`
}

func (a Amount) of(asked float64) float64 {
	switch {
	case a.Is > 0:
		return a.Is
	case a.Part > 0:
		return a.Part * asked
	default:
		return asked
	}
}

func (a Amount) or(o Amount) Amount {
	if o != (Amount{}) {
		return o
	}
	return a
}

// with adds what another script says, which wins.
func (d Deliver) with(o Deliver) Deliver {
	if o == (Deliver{}) {
		return d
	}
	return Deliver{Duration: d.Duration.or(o.Duration), Width: d.Width.or(o.Width), Height: d.Height.or(o.Height), FPS: d.FPS.or(o.FPS),
		SampleRate: d.SampleRate.or(o.SampleRate), Channels: d.Channels.or(o.Channels), Silent: d.Silent || o.Silent, ClaimAsked: o.ClaimAsked}
}

// What is delivered in place of what was asked for is within these bounds, so that it costs little.
const (
	sideMin, filmSideMax, pictureSideMax = 16, 1280, 4096
	fpsMax                               = 30
	lastsMin, lastsMax                   = 100, 60_000 // milliseconds
	rateMin, rateMax                     = 8000, 48_000
	channelsMax                          = 2
)

// Of returns what is claimed of a result, and what it really is.
func (d Deliver) Of(asked Media) (claimed, made Media) {
	made = asked
	if asked.Width > 0 {
		most, step := pictureSideMax, 1
		if asked.FPS > 0 {
			most, step = filmSideMax, 2 // films have even sides
		}
		largest := float64(most) / float64(max(asked.Width, asked.Height)) // so that the shape stays
		d.Width.Part, d.Height.Part = min(d.Width.Part, largest), min(d.Height.Part, largest)
		made.Width = side(d.Width, asked.Width, most, step)
		made.Height = side(d.Height, asked.Height, most, step)
	}
	if asked.FPS > 0 && d.FPS != (Amount{}) {
		made.FPS = int(max(1, min(fpsMax, math.Round(d.FPS.of(float64(asked.FPS))))))
	}
	if asked.DurationMS > 0 && d.Duration != (Amount{}) {
		made.DurationMS = int64(max(lastsMin, min(lastsMax, math.Round(d.Duration.of(float64(asked.DurationMS)/1000)*1000))))
	}
	if made.FPS > 0 && made != asked { // whole frames
		frames := max(1, math.Round(float64(made.DurationMS)*float64(made.FPS)/1000))
		made.DurationMS = int64(math.Round(frames * 1000 / float64(made.FPS)))
	}
	if asked.SampleRate > 0 && d.SampleRate != (Amount{}) {
		made.SampleRate = int(max(rateMin, min(rateMax, math.Round(d.SampleRate.of(float64(asked.SampleRate))))))
	}
	if asked.Channels > 0 && d.Channels != (Amount{}) {
		made.Channels = int(d.Channels.Is)
	}
	made.Sound = asked.Sound && !d.Silent
	if d.ClaimAsked {
		return asked, made
	}
	return made, made
}

func side(a Amount, asked, most, step int) int {
	if a == (Amount{}) {
		return asked
	}
	return int(max(sideMin, min(float64(most), math.Round(a.of(float64(asked))/float64(step))*float64(step))))
}

// applyDeliver reads `deliver size=50% duration=120% claim=asked`.
func (sc *Script) applyDeliver(d directive) error {
	to := &sc.Deliver
	amounts := []struct {
		key    string
		lo, hi float64
		to     *Amount
	}{
		{"duration", lastsMin / 1000.0, lastsMax / 1000, &to.Duration}, {"fps", 1, fpsMax, &to.FPS},
		{"sample-rate", rateMin, rateMax, &to.SampleRate}, {"channels", 1, channelsMax, &to.Channels},
	}
	keys := []string{"size", "audio"}
	found := false
	for _, a := range amounts {
		keys = append(keys, a.key)
		if t, ok := d.args[a.key]; ok {
			found = true
			if err := d.amount(a.key, t, a.lo, a.hi, a.to); err != nil {
				return err
			}
		}
	}
	if to.Channels.Part > 0 || to.Channels.Is != math.Trunc(to.Channels.Is) {
		return fmt.Errorf("sandbox directive deliver: channels=%s: 1 or 2", text.Clip(d.args["channels"], 40))
	}
	if t, ok := d.args["size"]; ok {
		found = true
		if err := d.size(t, to); err != nil {
			return err
		}
	}
	if t, ok := d.args["audio"]; ok {
		if found, to.Silent = true, true; t != "none" {
			return fmt.Errorf("sandbox directive deliver: audio=%s: allowed is none", text.Clip(t, 40))
		}
	}
	if err := d.only(append(keys, "claim")...); err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("sandbox directive deliver: say what differs: %s", strings.Join(keys, ", "))
	}
	switch claim := d.args["claim"]; claim {
	case "asked":
		to.ClaimAsked = true
	case "made", "":
		to.ClaimAsked = false
	default:
		return fmt.Errorf("sandbox directive deliver: claim=%s: allowed are asked, made", text.Clip(claim, 40))
	}
	return nil
}

// size reads WIDTHxHEIGHT in pixels, or a part of both sides.
func (d directive) size(t string, to *Deliver) error {
	w, h, ok := strings.Cut(t, "x")
	if !ok {
		if !strings.HasSuffix(t, "%") {
			return fmt.Errorf("sandbox directive deliver: size=%s: pixels as 320x180, or a part as 50%%", text.Clip(t, 40))
		}
		h = w
	}
	if err := d.amount("size", w, sideMin, pictureSideMax, &to.Width); err != nil {
		return err
	}
	return d.amount("size", h, sideMin, pictureSideMax, &to.Height)
}

// amount reads a number, or a part of what was asked for, as 120%.
func (d directive) amount(key, t string, lo, hi float64, to *Amount) error {
	number, part := strings.CutSuffix(t, "%")
	if part {
		lo, hi = 1, 1000
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !(n >= lo && n <= hi) {
		return fmt.Errorf("sandbox directive %s: %s=%s: a number from %v to %v, or a part of what was asked for from 1%% to 1000%%", d.name, key, text.Clip(t, 40), lo, hi)
	}
	if part {
		*to = Amount{Part: n / 100}
	} else {
		*to = Amount{Is: n}
	}
	return nil
}
