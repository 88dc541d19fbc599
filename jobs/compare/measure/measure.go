// Package measure compares what a trial asked for with what the gateway claims to have made and with
// what the saved files themselves say. It is pure: whoever calls it has read the files' heads.
package measure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/mediainfo"
	"darkroom/jobs/compare"
	"darkroom/jobs/delivered"
)

// units of the properties that have one.
var units = map[string]string{"duration": "s", "width": "px", "height": "px", "fps": "fps", "sample_rate": "Hz"}

// Units returns the unit of a property, "" for none.
func Units(field string) string { return units[field] }

// Facts returns the properties of a trial that anybody told of, in the order of [delivered.Fields]. files
// are those of the trial, the result first; answer is the body that named them. What nobody asked for is
// listed without a verdict.
func Facts(d client.Draft, files []mediainfo.Info, answer []byte, tol Tolerances) []compare.Property {
	w := delivered.Wish{Draft: d}
	asked, claimed := w.Asked(), delivered.Claimed(answer)
	got := describe(files, asked)
	var out []compare.Property
	for _, field := range delivered.Fields() {
		p := compare.Property{Field: field, Unit: units[field], Asked: pick(asked, field), Claimed: pick(claimed, field), Delivered: pick(got, field)}
		if !p.Asked.Known && !p.Claimed.Known && !p.Delivered.Known {
			continue
		}
		t := tol.of(field)
		p.Tolerance = t.String(p.Unit)
		p.Verdict = t.compare(p.Asked, p.Delivered)
		p.ClaimVerdict = t.compare(p.Claimed, p.Delivered)
		out = append(out, p)
	}
	return out
}

// Differs returns the properties that are not as asked for, or not as claimed.
func Differs(facts []compare.Property) []compare.Property {
	return slices.DeleteFunc(slices.Clone(facts), func(p compare.Property) bool {
		return p.Verdict != compare.Fail && p.ClaimVerdict != compare.Fail
	})
}

// Sentence says in words how a property came out, as "asked for 8 s, got 5.1 s; the answer claims 8 s".
func Sentence(p compare.Property) string {
	value := func(f compare.Fact) string { return strings.TrimSpace(f.Text + " " + p.Unit) }
	name := strings.ReplaceAll(p.Field, "_", " ")
	var parts []string
	if p.Asked.Known {
		parts = append(parts, "asked for "+value(p.Asked))
	}
	if p.Delivered.Known {
		parts = append(parts, "got "+value(p.Delivered))
	} else {
		parts = append(parts, "the file does not tell")
	}
	text := name + ": " + strings.Join(parts, ", ")
	if p.Claimed.Known && p.ClaimVerdict != compare.Pass {
		text += "; the answer claims " + value(p.Claimed)
	}
	return text
}

func pick(list []delivered.Told, field string) compare.Fact {
	for _, t := range list {
		if t.Field == field {
			return compare.Fact{Text: t.Text, Number: t.Number, Known: true}
		}
	}
	return compare.Fact{}
}

// describe returns what the first file says of itself, and how many there are where that tells anything. A resolution and a shape follow from its size, to be compared with those that were asked for.
func describe(files []mediainfo.Info, asked []delivered.Told) []delivered.Told {
	if len(files) == 0 {
		return nil
	}
	i := files[0]
	var out []delivered.Told
	number := func(field string, n float64) {
		if n > 0 {
			out = append(out, delivered.Told{Field: field, Text: format(n), Number: n})
		}
	}
	word := func(field, text string) {
		if text != "" {
			out = append(out, delivered.Told{Field: field, Text: text})
		}
	}
	number("duration", i.Duration.Seconds())
	number("width", float64(i.Width))
	number("height", float64(i.Height))
	if i.Width > 0 && i.Height > 0 {
		want := pick(asked, "resolution")
		lines := Lines(i.Width, i.Height, want.Number)
		out = append(out, delivered.Told{Field: "resolution", Text: format(lines) + "p", Number: lines})
		ratio := float64(i.Width) / float64(i.Height)
		out = append(out, delivered.Told{Field: "aspect_ratio", Text: format(ratio) + ":1", Number: ratio})
	}
	number("fps", i.FPS)
	word("codec", i.Codec)
	word("container", i.Format)
	if i.Kind == mediainfo.Video || i.Kind == mediainfo.Audio {
		audio := "no"
		if i.AudioCodec != "" || i.Kind == mediainfo.Audio {
			audio = "yes"
		}
		word("audio", audio)
	}
	number("sample_rate", float64(i.Rate))
	number("channels", float64(i.Channels))
	if len(files) > 1 || pick(asked, "n").Known {
		number("n", float64(len(files)))
	}
	return out
}

// Lines returns of how many lines a picture may be called: the wanted number where its short side, or a
// picture of 16:9 with as many pixels, comes within 5 % of it, else its short side.
func Lines(width, height int, want float64) float64 {
	short := float64(min(width, height))
	area := math.Sqrt(float64(width) * float64(height) * 9 / 16)
	if want > 0 && (math.Abs(short-want) <= 0.05*want || math.Abs(area-want) <= 0.1*want) {
		return want
	}
	return short
}

func format(n float64) string { return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64) }

// Tolerance is how far a value may be from the one that was asked for: by so much, or by a part of it.
// Texts must be equal whatever it is.
type Tolerance struct {
	By   float64 // in the unit of the property
	Part float64 // 0.05 for 5 %
}

// Tolerances are those of a suite, by property; what is not named has the default.
type Tolerances map[string]Tolerance

// defaults: encoders count in frames and take whole blocks, and models name shapes roughly.
var defaults = Tolerances{
	"duration": {By: 0.5}, "width": {By: 16}, "height": {By: 16}, "aspect_ratio": {Part: 0.08},
	"fps": {Part: 0.02},
}

// ParseTolerance reads "0.5", "0.5s" or "5%" for a property.
func ParseTolerance(field, s string) (Tolerance, error) {
	if !slices.Contains(delivered.Fields(), field) {
		return Tolerance{}, fmt.Errorf("tolerance for %q: there is no such property; there are %s", client.CleanLine(field), strings.Join(delivered.Fields(), ", "))
	}
	t := strings.TrimSpace(s)
	number, percent := strings.CutSuffix(t, "%")
	if !percent && units[field] != "" {
		number = strings.TrimSuffix(number, units[field])
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(n >= 0) || n > 1e9 {
		return Tolerance{}, fmt.Errorf("tolerance %q for %s: give a number such as 0.5%s, or a percentage such as 5%%", client.CleanLine(s), field, units[field])
	}
	if percent {
		return Tolerance{Part: n / 100}, nil
	}
	return Tolerance{By: n}, nil
}

func (ts Tolerances) of(field string) Tolerance {
	if t, ok := ts[field]; ok {
		return t
	}
	return defaults[field]
}

// String says how far a value may be off.
func (t Tolerance) String(unit string) string {
	switch {
	case t.Part > 0:
		return "±" + format(t.Part*100) + " %"
	case t.By > 0:
		return strings.TrimSpace("±" + format(t.By) + " " + unit)
	default:
		return "exact"
	}
}

func (t Tolerance) compare(want, got compare.Fact) compare.Verdict {
	same := false
	switch {
	case !want.Known || !got.Known:
		return compare.Unknown
	case want.Number > 0 && got.Number > 0:
		// A rounding in binary must not decide: 0.1 is no multiple of anything there.
		same = math.Abs(want.Number-got.Number) <= max(t.By, t.Part*want.Number)+1e-9
	default:
		same = strings.EqualFold(want.Text, got.Text) || delivered.SameCodec(want.Text, got.Text)
	}
	if same {
		return compare.Pass
	}
	return compare.Fail
}
