package mediainfo

import (
	"fmt"
	"strings"

	"darkroom/client/human"
)

// Title is the kind and the duration, as "Video, 5.0 s".
func (info Info) Title() string {
	name := map[Kind]string{Video: "Video", Audio: "Sound", Picture: "Picture"}[info.Kind]
	if name == "" {
		name = "File"
	}
	if info.Duration > 0 {
		about := ""
		if info.About {
			about = "about "
		}
		name += ", " + about + human.Dur(info.Duration)
	}
	return name
}

// Facts are the other things known, a line each.
func (info Info) Facts() []string {
	var out []string
	add := func(parts ...string) {
		var kept []string
		for _, p := range parts {
			if p != "" {
				kept = append(kept, p)
			}
		}
		if len(kept) > 0 {
			out = append(out, strings.Join(kept, " · "))
		}
	}
	add(positive(info.Width, fmt.Sprintf("%d x %d", info.Width, info.Height)), fps(info.FPS), info.Codec)
	add(positive(info.Rate, fmt.Sprintf("%g kHz", float64(info.Rate)/1000)), channels(info.Channels),
		positive(info.Bits, fmt.Sprintf("%d bit", info.Bits)), info.AudioCodec)
	add(info.Format, human.Bytes(info.Bytes))
	return out
}

// Line is all of it in one line, for a table or a title.
func (info Info) Line() string {
	return strings.Join(append([]string{info.Title()}, info.Facts()...), " · ")
}

func positive(n int, s string) string {
	if n <= 0 {
		return ""
	}
	return s
}

func fps(f float64) string {
	if !(f > 0 && f < 10_000) {
		return ""
	}
	return fmt.Sprintf("%.4g fps", f)
}

func channels(n int) string {
	switch {
	case n <= 0:
		return ""
	case n == 1:
		return "mono"
	case n == 2:
		return "stereo"
	default:
		return fmt.Sprintf("%d channels", n)
	}
}
