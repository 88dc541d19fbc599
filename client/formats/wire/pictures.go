package wire

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"

	"darkroom/client"
)

var (
	imageURLs  = []string{"url", "image_url", "imageUrl", "output_url", "download_url", "uri", "result_url", "result"}
	imageData  = []string{"b64_json", "b64", "base64", "image_base64", "result", "image", "data"}
	imageLists = []string{"data", "images", "output", "outputs", "results", "items", "result", "image_urls", "urls", "choices"}
	imageParts = []string{"data", "output", "result", "response", "task_result", "metadata", "content"}
)

// Images adds the pictures of a finished answer, behind URLs or inline, and keeps the other members
// of their items (revised prompts) in Extra.
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

// keepRevised keeps of the list of pictures, which may be megabytes, only its words.
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
		t.main.set("revised_prompt", raw)
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
		if raw := o.get(n); len(raw) > 16 && raw[0] == '"' {
			if a := picture(text(raw)); len(a.Inline) > 0 {
				o.take(n)
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
	if u, ok := webURL(s); ok {
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

// ResponseObject reports an answer that is a response object (GATEWAY: Response object).
func (t *Task) ResponseObject() bool {
	return t.main.Str("object") == "response" || t.main.List("output") != nil && t.ID != ""
}
