package wire

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"path"
	"strings"

	"darkroom/client"
)

var (
	// videoURLs are where one object names its result, the most telling name first.
	// fail_reason held the URL of a success in older gateways.
	videoURLs = []string{"video_url", "videoUrl", "url", "output_url", "download_url", "uri", "file_url", "result_url", "resultUrl", "fail_reason"}
	// videoParts hold the result one level down.
	videoParts = []string{"metadata", "content", "output", "result", "video", "task_result", "data", "response"}
	// videoLists hold several results.
	videoLists = []string{"creations", "generatedVideos", "generated_videos", "items", "results", "outputs", "output", "works", "videos", "data"}

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
	extras(t.main, maxParts, &all)
	t.Assets = append(t.Assets, all.assets...)
	t.settle()
	return t
}

// link is the URL under the first name that has one: a string, or an object with url.
func (o *Obj) link(names ...string) string {
	if o == nil {
		return ""
	}
	for _, n := range names {
		raw := o.m[n]
		if len(raw) > 0 && raw[0] == '{' {
			if u := object(raw).link("url", "uri"); u != "" {
				o.taken[n] = true
				return u
			}
			continue
		}
		if len(raw) > 0 && raw[0] == '"' {
			if u, ok := WebURL(text(raw)); ok {
				o.taken[n] = true
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
		if raw := o.m[n]; len(raw) > 0 && raw[0] == '"' {
			if n == "output" || n == "result" || n == "video" {
				if u, ok := WebURL(text(raw)); ok {
					o.taken[n] = true
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
		for _, raw := range o.List(n) {
			if in := object(raw); in != nil {
				c.add(client.Asset{Kind: client.AssetVideo, URL: ownVideo(in, 3)})
			} else if u, ok := WebURL(text(raw)); ok && n != "videos" {
				// Strings under "videos" are the echo of references.
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

// extras gathers covers and last frames from wherever they hang.
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
		for _, raw := range o.List(n) {
			extras(object(raw), min(depth-1, 2), c)
		}
	}
}

var (
	imageURLs  = []string{"url", "image_url", "imageUrl", "output_url", "download_url", "uri", "result_url", "result"}
	imageData  = []string{"b64_json", "b64", "base64", "image_base64", "result", "image", "data"}
	imageLists = []string{"data", "images", "output", "outputs", "results", "items", "result", "image_urls", "urls", "choices"}
	imageParts = []string{"data", "output", "result", "response", "task_result", "metadata", "content"}
)

// Images adds the pictures of a finished answer, behind URLs or inline, and keeps what
// else an item said (revised prompts) in Extra.
func (t *Task) Images() *Task {
	if !t.ended() {
		return t
	}
	var c collector
	var items []json.RawMessage
	from := t.top
	for _, o := range t.path {
		if items = listImages(o, maxParts, &c); len(c.assets) > 0 {
			from = o
			break
		}
	}
	if len(c.assets) == 0 {
		for i := len(t.path) - 1; i >= 0 && len(c.assets) == 0; i-- {
			oneImage(t.path[i], maxParts, &c)
		}
	}
	t.Assets = append(t.Assets, c.assets...)
	if len(items) > 0 && len(c.assets) > 0 {
		t.keepRevised(from, items)
	}
	t.settle()
	return t
}

// keepRevised takes the list of pictures out of what is kept, since it may be
// megabytes, but for the words in it.
func (t *Task) keepRevised(from *Obj, items []json.RawMessage) {
	var words []string
	for _, raw := range items {
		if s := object(raw).Str("revised_prompt"); s != "" {
			words = append(words, s)
		}
	}
	from.Take("data", "images", "output")
	if len(words) == 0 {
		return
	}
	if raw, err := json.Marshal(words); err == nil {
		t.main.m["revised_prompt"] = raw
	}
}

// listImages reads the first list that holds pictures.
func listImages(o *Obj, depth int, c *collector) []json.RawMessage {
	if o == nil || depth == 0 {
		return nil
	}
	for _, n := range imageLists {
		items := o.List(n)
		for _, raw := range items {
			if in := object(raw); in != nil {
				oneImage(in, 3, c)
			} else {
				c.add(picture(text(raw)))
			}
		}
		if len(c.assets) > 0 {
			return items
		}
	}
	for _, n := range imageParts {
		if items := listImages(o.Obj(n), depth-1, c); len(c.assets) > 0 {
			return items
		}
	}
	return nil
}

// oneImage reads one object that is a picture, or holds one.
func oneImage(o *Obj, depth int, c *collector) {
	if o == nil || depth == 0 {
		return
	}
	if u := o.link(imageURLs...); u != "" {
		c.add(client.Asset{Kind: client.AssetImage, URL: u})
		return
	}
	for _, n := range append([]string{"url", "image_url"}, imageData...) {
		if raw := o.m[n]; len(raw) > 16 && raw[0] == '"' {
			if a := picture(text(raw)); len(a.Inline) > 0 {
				o.taken[n] = true
				c.add(a)
				return
			}
		}
	}
	for _, n := range imageParts {
		if n := len(c.assets); n > 0 {
			return
		}
		oneImage(o.Obj(n), depth-1, c)
	}
}

// picture makes an asset of a URL, a data URI or base64 that really is a picture.
func picture(s string) client.Asset {
	s = strings.TrimSpace(s)
	if u, ok := WebURL(s); ok {
		return client.Asset{Kind: client.AssetImage, URL: u}
	}
	if strings.HasPrefix(s, "data:") {
		_, data, ok := strings.Cut(s, ",")
		if !ok {
			return client.Asset{}
		}
		s = data
	}
	b := unbase64(s)
	if len(b) == 0 {
		return client.Asset{}
	}
	mt := http.DetectContentType(b[:min(len(b), 512)])
	if !strings.HasPrefix(mt, "image/") {
		return client.Asset{}
	}
	return client.Asset{Kind: client.AssetImage, Inline: b, MediaType: mt}
}

// unbase64 reads base64 of either alphabet, padded or not, with or without line ends.
func unbase64(s string) []byte {
	if strings.ContainsAny(s, "\r\n \t") {
		s = strings.NewReplacer("\r", "", "\n", "", " ", "", "\t", "").Replace(s)
	}
	s = strings.TrimRight(s, "=")
	enc := base64.RawStdEncoding
	if strings.ContainsAny(s, "-_") {
		enc = base64.RawURLEncoding
	}
	b, err := enc.DecodeString(s)
	if err != nil {
		return nil
	}
	return b
}

// extension of a URL's path, in lower case with its dot.
func extension(u string) string {
	u, _, _ = strings.Cut(u, "?")
	return strings.ToLower(path.Ext(u))
}

// ResponseObject reports an answer that is a response object (GATEWAY: Response object).
func (t *Task) ResponseObject() bool {
	return t.main.Str("object") == "response" || t.main.List("output") != nil && t.ID != ""
}
