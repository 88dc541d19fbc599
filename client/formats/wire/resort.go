package wire

import (
	"encoding/json"
	"slices"
	"strings"

	"darkroom/client"
)

// lastResort finds the video of a success that names it in none of the usual places: in a list
// whose name requests use too, then as any URL that ends like a video.
func lastResort(t *Task, c *collector) {
	for _, o := range t.within {
		for _, n := range echoes {
			for _, u := range stringsIn(o.many(n)) {
				c.add(client.Asset{Kind: client.AssetVideo, URL: u})
			}
		}
		if len(c.assets) > 0 {
			return
		}
	}
	budget := maxWalk
	if u := byEnding(t.main, videoEndings, maxParts, &budget); u != "" {
		c.add(client.Asset{Kind: client.AssetVideo, URL: u})
	}
}

// maxWalk bounds how many members a search through a whole answer visits.
const maxWalk = 2000

var (
	videoEndings = []string{".mp4", ".webm", ".mov", ".m4v", ".mkv"}
	audioEndings = []string{".mp3", ".wav", ".m4a", ".flac", ".ogg", ".opus", ".aac"}
)

// asked are prefixes of the names under which an answer repeats its request.
var asked = []string{"input", "request", "callback", "reference", "prompt", "image", "audio_urls", "video_urls", "properties", "last_", "first_", "source", "webhook"}

// byEnding walks through an answer, names in order, for the first URL with one of the endings that
// does not repeat the request.
func byEnding(o *Obj, endings []string, depth int, budget *int) string {
	if depth == 0 {
		return ""
	}
	for i := range o.list {
		low := strings.ToLower(o.list[i].name)
		if slices.ContainsFunc(asked, func(p string) bool { return strings.HasPrefix(low, p) }) {
			continue
		}
		if u := endsLike(o.list[i].raw, endings, depth, budget); u != "" {
			return u
		}
		if *budget <= 0 {
			return ""
		}
	}
	return ""
}

func endsLike(raw json.RawMessage, endings []string, depth int, budget *int) string {
	if *budget--; *budget <= 0 || depth == 0 {
		return ""
	}
	if in := object(raw); in != nil {
		return byEnding(in, endings, depth-1, budget)
	}
	for _, x := range array(raw) {
		if u := endsLike(x, endings, depth-1, budget); u != "" {
			return u
		}
	}
	if u, ok := webURL(text(raw)); ok && slices.Contains(endings, extension(u)) {
		return u
	}
	return ""
}
