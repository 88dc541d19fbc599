// Package reply makes the answers of the embedded gateway's chat: an enriched prompt if it is asked
// for one, and otherwise the truth, that no model runs here.
package reply

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"darkroom/client/text"
)

// A request to improve a prompt says so in the system message or in the user's own:
// one of the verbs, and "prompt" not far from it.
var (
	improveRE  = text.Pattern(`(?i)\b(improv|enhanc|enrich|rewrit|refin|polish|expand|elaborat|optimi[sz])\w*\b[^.!?\n]{0,80}\bprompts?\b`)
	improveRE2 = text.Pattern(`(?i)\bprompts?\b[^.!?\n]{0,80}\b(improv|enhanc|enrich|rewrit|refin|polish|expand|elaborat|optimi[sz])\w*\b`)
	quotedRE   = text.Pattern(`(?s)"([^"]{2,})"|“([^”]{2,})”|«([^»]{2,})»|` + "```(?:\\w*\n)?(.+?)```")
)

func asksToImprove(s string) bool {
	return improveRE().MatchString(s) || improveRE2().MatchString(s)
}

const kept = 4000 // bytes of a message that an answer repeats

// To returns the answer to a conversation, given its system message and the user's last one. pick
// chooses the words that are added to a prompt, so that the same conversation always gets the same
// answer.
func To(system, last string, pick func(i int64, prompt string) uint64) string {
	switch {
	case asksToImprove(system):
		return enrich(text.Head(last, kept), pick)
	case asksToImprove(last):
		return enrich(text.Head(promptIn(last), kept), pick)
	default:
		return "This is the embedded gateway: no language model runs here. You wrote: " + text.Head(last, kept)
	}
}

// promptIn finds the prompt in a message that asks to improve it: what is quoted, or
// what follows the first colon or line break after the request.
func promptIn(s string) string {
	if m := quotedRE().FindStringSubmatch(s); m != nil {
		for _, g := range m[1:] {
			if strings.TrimSpace(g) != "" {
				return strings.TrimSpace(g)
			}
		}
	}
	loc := improveRE().FindStringIndex(s)
	if loc == nil {
		loc = improveRE2().FindStringIndex(s)
	}
	if loc != nil {
		rest := s[loc[1]:]
		if i := strings.IndexAny(rest, ":\n"); i >= 0 && strings.TrimSpace(rest[i+1:]) != "" {
			return strings.TrimSpace(rest[i+1:])
		}
		if before := strings.TrimSpace(s[:loc[0]]); before != "" {
			return strings.TrimRight(before, " .,;:-–—")
		}
	}
	return strings.TrimSpace(s)
}

// aspect is one aspect of a picture that a prompt may describe: the words that show that it does,
// and what to add if it does not.
type aspect struct {
	told  []string
	adds  []string
	moves bool // for moving pictures only
}

func aspects() []aspect {
	return []aspect{
		{told: []string{"light", "sun", "dawn", "dusk", "night", "neon", "glow", "shadow", "candle", "backlit"},
			adds: []string{"soft light of the early morning", "warm low sun with long shadows", "diffuse light under a clear overcast sky", "a single warm lamp against blue dusk"}},
		{told: []string{"close-up", "close up", "wide", "macro", "aerial", "portrait", "shot", "angle", "lens", "view"},
			adds: []string{"wide shot at eye level", "low angle with a wide lens", "medium shot, subject off centre", "close-up with a shallow depth of field"}},
		{told: []string{"pan", "dolly", "zoom", "track", "orbit", "camera", "handheld", "static"}, moves: true,
			adds: []string{"the camera moves slowly forward", "a slow pan from left to right", "the camera circles the subject once", "a locked camera, only the subject moves"}},
		{told: []string{"mood", "calm", "tense", "dreamy", "quiet", "joyful", "melanch", "eerie"},
			adds: []string{"a calm, quiet mood", "a sense of wonder", "a gentle, nostalgic mood", "an open, hopeful mood"}},
		{told: []string{"detail", "texture", "grain", "palette", "colour", "color", "sharp"},
			adds: []string{"fine texture and a restrained palette", "rich natural colours", "crisp detail in the foreground, soft behind", "subtle film grain"}},
	}
}

// enrich adds to a prompt what it does not describe: light, framing, movement, mood and texture.
// The same prompt always becomes the same text.
func enrich(prompt string, pick func(i int64, prompt string) uint64) string {
	prompt = strings.TrimRightFunc(strings.Join(strings.Fields(prompt), " "), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".,;:", r) })
	if prompt == "" {
		prompt = "a small red kite above a wide salt flat"
	}
	low := strings.ToLower(prompt)
	still := strings.Contains(low, "photo") || strings.Contains(low, "picture") || strings.Contains(low, "painting") || strings.Contains(low, "poster")
	var parts []string
	for i, a := range aspects() {
		if a.moves && still || containsAny(low, a.told) {
			continue
		}
		parts = append(parts, a.adds[pick(int64(i), low)%uint64(len(a.adds))])
	}
	if len(parts) == 0 {
		parts = []string{"carefully composed, with clear depth from foreground to background"}
	}
	first, size := utf8.DecodeRuneInString(prompt)
	return string(unicode.ToUpper(first)) + prompt[size:] + ", " + strings.Join(parts, ", ") + "."
}

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
