package delivered

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/text"
)

// Told is one property of a result as a draft asks for it, or as an answer claims it.
type Told struct {
	Field  string // of [Fields]
	Text   string // clean, without the unit
	Number float64
}

// Names of properties that drafts and answers tell of, beside those that have a field of that name.
const (
	fieldWidth     = "width"
	fieldHeight    = "height"
	fieldFPS       = "fps"
	fieldCodec     = "codec"
	fieldRate      = "sample_rate"
	fieldChannels  = "channels"
	fieldContainer = "container"
	fieldAudio     = "audio" // "yes" or "no": whether there is sound
)

// Fields lists the properties of results, in the order in which they are shown.
func Fields() []string {
	return []string{fieldDuration, fieldWidth, fieldHeight, fieldResolution, fieldRatio, fieldFPS, fieldCodec, fieldContainer,
		fieldAudio, fieldRate, fieldChannels, fieldNumber}
}

// maxTold bounds a text that is told, in bytes.
const maxTold = 60

// add takes a property in, the first time that it is told.
func add(list []Told, field, s string, n float64) []Told {
	s = text.Cap(client.CleanLine(strings.TrimSpace(s)), maxTold)
	if s == "" || slices.ContainsFunc(list, func(t Told) bool { return t.Field == field }) {
		return list
	}
	return append(list, Told{Field: field, Text: s, Number: n})
}

func addNumber(list []Told, field string, n float64) []Told {
	if !(n > 0) || n > 1e12 {
		return list
	}
	return add(list, field, number(n), n)
}

func addPicture(list []Told, p picture, ok bool) []Told {
	switch {
	case !ok:
		return list
	case p.w > 0:
		return addNumber(addNumber(list, fieldWidth, p.w), fieldHeight, p.h)
	case p.lines > 0:
		return add(list, fieldResolution, number(p.lines)+"p", p.lines)
	default:
		return add(list, fieldRatio, number(p.shape)+":1", p.shape)
	}
}

func addAudio(list []Told, word string) []Told {
	switch strings.ToLower(word) {
	case "true", "on", "yes":
		return add(list, fieldAudio, "yes", 0)
	case "false", "off", "no":
		return add(list, fieldAudio, "no", 0)
	}
	return list
}

// Asked returns what a draft asks of its result: from the form, the parameters object, and what is
// sent as it stands. A property that it leaves to the gateway is not there, nor the duration of a
// video that is made from another one.
func (w *Wish) Asked() []Told {
	var out []Told
	if t, ok := w.text(fieldDuration); ok && (w.Draft.Modality != client.Video || w.timed()) {
		if n, err := strconv.ParseFloat(strings.TrimSuffix(t, "s"), 64); err == nil {
			out = addNumber(out, fieldDuration, n)
		}
	}
	size, _ := w.text(fieldSize)
	resolution, _ := w.text(fieldResolution)
	ratio, _ := w.text(fieldRatio)
	for _, t := range []string{size, resolution, ratio} {
		p, ok := sized(t)
		out = addPicture(out, p, ok)
		p, ok = shaped(t)
		out = addPicture(out, p, ok)
	}
	if p, ok := lined(resolution); ok && w.video() {
		out = addPicture(out, p, ok)
	}
	for _, field := range []string{fieldFPS, fieldRate, fieldChannels} {
		t, _ := w.text(field)
		if n, err := strconv.ParseFloat(t, 64); err == nil {
			out = addNumber(out, field, n)
		}
	}
	for _, field := range []string{"generate_audio", "sound"} {
		t, _ := w.text(field)
		out = addAudio(out, t)
	}
	if t, ok := w.text("output_format"); ok {
		out = add(out, fieldContainer, container(t), 0)
	}
	if n := w.number(); n > 0 {
		out = addNumber(out, fieldNumber, float64(n))
	}
	return ordered(out)
}

// Claimed returns what an answer says of the result, wherever it stands.
func Claimed(body []byte) []Told {
	r := read(body)
	var out []Told
	if len(r.seconds) > 0 {
		out = addNumber(out, fieldDuration, r.seconds[len(r.seconds)-1])
	}
	for _, p := range r.pictures {
		out = addPicture(out, p, true)
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var v map[string]any
	if dec.Decode(&v) == nil {
		out = claimed(v, out, 0)
	}
	return ordered(out)
}

// claimed reads what the warnings need not know.
func claimed(v map[string]any, out []Told, depth int) []Told {
	if depth > maxDepth {
		return out
	}
	for _, k := range inner { // what stands innermost is the result's own
		switch x := v[k].(type) {
		case map[string]any:
			out = claimed(x, out, depth+1)
		case []any:
			if len(x) == 0 {
				continue
			}
			if o, ok := x[0].(map[string]any); ok && (len(x) == 1 || k == "videos") {
				out = claimed(o, out, depth+1)
			}
		}
	}
	for field, names := range map[string][]string{
		fieldFPS: {"fps", "frame_rate", "framespersecond"}, fieldRate: {"sample_rate", "sampleRate"}, fieldChannels: {"channels"},
	} {
		for _, k := range names {
			if n, ok := positive(v[k]); ok {
				out = addNumber(out, field, n)
			}
		}
	}
	out = add(out, fieldCodec, codec(scalar(v["codec"])), 0)
	for _, k := range []string{"output_format", "format"} {
		out = add(out, fieldContainer, container(scalar(v[k])), 0)
	}
	for _, k := range []string{"has_audio", "generate_audio", "audio"} {
		if b, ok := v[k].(bool); ok {
			out = addAudio(out, strconv.FormatBool(b))
		}
	}
	return out
}

// Containers and codecs go by several names; these are the ones that files are said to have here.
var (
	containers = map[string]string{"mp4": "MP4", "mov": "MP4", "quicktime": "MP4", "m4a": "MP4", "webm": "WebM", "png": "PNG", "jpg": "JPEG",
		"jpeg": "JPEG", "webp": "WebP", "gif": "GIF", "wav": "WAV", "mp3": "MP3", "flac": "FLAC", "ogg": "Ogg", "opus": "Ogg"}
	codecs = map[string]string{"h264": "avc1", "h.264": "avc1", "avc": "avc1", "avc1": "avc1", "avc3": "avc1", "h265": "hvc1", "h.265": "hvc1",
		"hevc": "hvc1", "hvc1": "hvc1", "hev1": "hvc1", "av1": "av01", "av01": "av01", "vp9": "vp09", "vp09": "vp09"}
)

// container returns the one name of a container, and "" for a word that is none, as an answer has
// words for other things there, too.
func container(word string) string { return containers[strings.ToLower(strings.TrimSpace(word))] }

func codec(word string) string { return codecs[strings.ToLower(strings.TrimSpace(word))] }

// SameCodec reports whether two names are of one codec.
func SameCodec(a, b string) bool {
	return strings.EqualFold(a, b) || codec(a) != "" && codec(a) == codec(b)
}

// ordered sorts by the order of Fields.
func ordered(list []Told) []Told {
	fields := Fields()
	slices.SortStableFunc(list, func(a, b Told) int { return slices.Index(fields, a.Field) - slices.Index(fields, b.Field) })
	return list
}
