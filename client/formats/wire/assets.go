package wire

import (
	"path"
	"strings"

	"darkroom/client"
)

var (
	// videoURLs are the names under which one object has its result, the most telling first.
	// fail_reason held the URL of a success in older gateways. A watermarked copy is the result
	// where there is no other.
	videoURLs = []string{
		"video_url", "videoUrl", "videoURL", "url", "output_url", "download_url", "uri", "file_url", "mp4_url", "play_url",
		"output_video_url", "output_video", "result_url", "resultUrl", "resource", "fail_reason", "watermarked_url",
	}
	// videoParts hold the result one level down.
	videoParts = []string{
		"metadata", "content", "output", "result", "video", "task_result", "taskResult", "data", "response",
		"generateVideoResponse", "assets", "file", "resource", "creation",
	}
	// videoLists hold several results.
	videoLists = []string{
		"creations", "generatedVideos", "generated_videos", "generatedSamples", "generated_samples", "items", "results",
		"result", "outputs", "output", "works", "video_result", "videos", "data",
	}
	// echoes are lists whose names requests use too: strings in them are results only where there
	// are no others.
	echoes = []string{"videos", "video_urls", "videoUrls", "urls"}

	coverURLs     = []string{"cover_url", "coverUrl", "thumbnail_url", "poster_url", "cover_image_url", "cover", "thumbnail", "poster"}
	lastFrameURLs = []string{"last_frame_url", "lastFrameUrl", "last_frame"}
)

const maxParts = 5

// collector gathers assets, each URL once.
type collector struct {
	assets []client.Asset
	seen   map[string]bool
}

func (c *collector) add(a client.Asset) {
	if a.URL == "" && len(a.Inline) == 0 {
		return
	}
	if a.URL != "" {
		if c.seen[a.URL] {
			return
		}
		if c.seen == nil {
			c.seen = map[string]bool{}
		}
		c.seen[a.URL] = true
	}
	c.assets = append(c.assets, a)
}

// Videos adds the assets of a finished video: from a list of results where there is
// more than one, else from the one URL that the task names; with covers and last frames.
func (t *Task) Videos() *Task {
	if !t.ended() {
		return t
	}
	var list collector
	listVideos(t.main, maxParts, &list)
	var all collector
	if u := ownVideo(t.main, maxParts); u != "" && len(list.assets) < 2 {
		all.add(client.Asset{Kind: client.AssetVideo, URL: u})
	} else {
		all = list
	}
	if len(all.assets) == 0 && t.Status == client.StatusCompleted {
		lastResort(t, &all)
	}
	for i := range all.assets {
		all.assets[i].Kind = kindOf(all.assets[i].URL)
	}
	extras(t.main, maxParts, &all)
	t.Assets = append(t.Assets, all.assets...)
	t.settle()
	return t
}

// kindOf is the kind of asset behind a result's URL: a video, unless its name says that it is a
// picture (some tasks of video routes make those too).
func kindOf(u string) client.AssetKind {
	switch extension(u) {
	case ".png", ".jpg", ".jpeg", ".webp", ".avif":
		return client.AssetImage
	default:
		return client.AssetVideo
	}
}

// link is the URL under the first name that has one: a string, or an object with url.
func (o *Obj) link(names ...string) string {
	if o == nil {
		return ""
	}
	for _, n := range names {
		raw := o.get(n)
		if len(raw) > 0 && raw[0] == '[' {
			if l := array(raw); len(l) == 1 { // a list of one URL in its place
				raw = l[0]
			}
		}
		if len(raw) > 0 && raw[0] == '{' {
			if u := object(raw).link("url", "uri"); u != "" {
				o.take(n)
				return u
			}
			continue
		}
		if len(raw) > 0 && raw[0] == '"' {
			if u, ok := webURL(text(raw)); ok {
				o.take(n)
				return u
			}
		}
	}
	return ""
}

// ownVideo is the one URL of a task.
func ownVideo(o *Obj, depth int) string {
	if o == nil || depth == 0 {
		return ""
	}
	if u := o.link(videoURLs...); u != "" {
		return u
	}
	for _, n := range videoParts {
		if raw := o.get(n); len(raw) > 0 && raw[0] == '"' {
			if n == "output" || n == "result" || n == "video" {
				if u, ok := webURL(text(raw)); ok {
					o.take(n)
					return u
				}
			}
		}
		if u := ownVideo(o.Obj(n), depth-1); u != "" {
			return u
		}
	}
	return ""
}

// listVideos gathers the URLs of the first list of results that has any.
func listVideos(o *Obj, depth int, c *collector) {
	if o == nil || depth == 0 {
		return
	}
	for _, n := range videoLists {
		for _, raw := range o.many(n) {
			if in := object(raw); in != nil {
				c.add(client.Asset{Kind: client.AssetVideo, URL: ownVideo(in, 3)})
			} else if u, ok := webURL(text(raw)); ok && n != "videos" {
				c.add(client.Asset{Kind: client.AssetVideo, URL: u})
			}
		}
		if len(c.assets) > 0 {
			return
		}
	}
	for _, n := range videoParts {
		if listVideos(o.Obj(n), depth-1, c); len(c.assets) > 0 {
			return
		}
	}
}

// extras gathers covers and last frames, wherever they are.
func extras(o *Obj, depth int, c *collector) {
	if o == nil || depth == 0 {
		return
	}
	c.add(client.Asset{Kind: client.AssetCover, URL: o.link(coverURLs...)})
	c.add(client.Asset{Kind: client.AssetLastFrame, URL: o.link(lastFrameURLs...)})
	for _, n := range videoParts {
		extras(o.Obj(n), depth-1, c)
	}
	for _, n := range videoLists {
		for _, raw := range o.many(n) {
			extras(object(raw), min(depth-1, 2), c)
		}
	}
}

// extension of a URL's path, in lower case with its dot.
func extension(u string) string {
	u, _, _ = strings.Cut(u, "?")
	return strings.ToLower(path.Ext(u))
}
