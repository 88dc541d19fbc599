package wire

import (
	"encoding/json"

	"darkroom/client"
)

var (
	audioURLs  = []string{"audio_url", "audioUrl", "audio", "song_url", "music_url", "mp3_url", "file_url", "output_url", "download_url", "url", "result_url"}
	songCovers = []string{"image_large_url", "image_url", "cover_url", "cover", "imageUrl", "coverUrl", "cover_image", "image"}
	songVideos = []string{"video_url", "videoUrl"}
	songLists  = []string{"data", "songs", "clips", "tracks", "results", "result", "output", "outputs", "items", "sunoData", "suno_data", "musics", "audios"}
	songParts  = []string{"data", "output", "result", "response", "raw", "upstream", "music", "song", "metadata"}
)

// Songs adds the songs of a music or sound answer: audio, cover and video of each, the
// first title and the lyrics. Where the answer has no state of its own, the songs'
// states make one.
func (t *Task) Songs() *Task {
	t.ownSongs()
	songs := findSongs(t.main, maxParts)
	if songs == nil && len(t.path) > 1 {
		songs = findSongs(t.top, maxParts)
	}
	if !t.termed || t.RawStatus == "" {
		t.songsState(songs)
	}
	if t.Status != client.StatusCompleted && t.termed {
		return t
	}
	var c collector
	for _, s := range songs {
		t.song(s, &c)
	}
	if len(songs) == 0 {
		t.flatSong(&c)
	}
	if len(c.assets) == 0 && t.Status == client.StatusCompleted {
		budget := maxWalk
		c.add(client.Asset{Kind: client.AssetAudio, URL: byEnding(t.top, audioEndings, maxParts+2, &budget), Title: t.Title})
	}
	t.Assets = append(t.Assets, c.assets...)
	t.settle()
	return t
}

// ownSongs makes sure that no id of a song or of lyrics is taken for the task's.
func (t *Task) ownSongs() {
	if len(t.path) > 1 || songLike(t.main) || t.main.Has("text") {
		t.readOwn([]string{"task_id", "taskId", "taskID"})
	}
}

// findSongs returns the first list whose objects look like songs.
func findSongs(o *Obj, depth int) []*Obj {
	if o == nil || depth == 0 {
		return nil
	}
	for _, n := range songLists {
		var out []*Obj
		for _, raw := range o.List(n) {
			if in := object(raw); in != nil && songLike(in) {
				out = append(out, in)
			}
		}
		if out != nil {
			return out
		}
	}
	for _, n := range append(songParts, containers...) {
		if out := findSongs(o.Obj(n), depth-1); out != nil {
			return out
		}
	}
	return firstNested(o, depth)
}

// firstNested looks through tasks in a list, as a batch answer has them.
func firstNested(o *Obj, depth int) []*Obj {
	for _, raw := range o.List("data") {
		if out := findSongs(object(raw), depth-1); out != nil {
			return out
		}
	}
	return nil
}

func songLike(o *Obj) bool {
	return o.Has("audio_url", "audioUrl", "audio", "song_url", "music_url", "video_url", "image_url", "lyric", "lyrics") &&
		!o.Has("task_id", "platform")
}

// songsState derives a state: one running song keeps the task running, one finished song makes the
// answer a success.
func (t *Task) songsState(songs []*Obj) {
	for _, s := range songs {
		term := s.term()
		if term == "" {
			continue
		}
		st := status(term)
		if !t.termed || !st.Terminal() || st == client.StatusCompleted && t.Status == client.StatusFailed {
			t.RawStatus, t.Status, t.termed = term, st, true
		}
		if !st.Terminal() {
			return
		}
	}
}

func (t *Task) song(s *Obj, c *collector) {
	title := s.Str("title", "song_name", "name")
	c.add(client.Asset{Kind: client.AssetAudio, URL: s.link(audioURLs...), Title: title})
	c.add(client.Asset{Kind: client.AssetCover, URL: s.link(songCovers...), Title: title})
	c.add(client.Asset{Kind: client.AssetVideo, URL: s.link(songVideos...), Title: title})
	if t.Title == "" {
		t.Title = title
	}
	if t.Lyrics == "" {
		t.Lyrics = lyrics(s)
	}
}

// lyrics are read from all the places where gateways put them.
func lyrics(s *Obj) string {
	if l := s.Str("lyrics", "lyric", "text"); l != "" {
		return l
	}
	if l := s.Obj("metadata").Str("lyrics", "lyric", "prompt"); l != "" {
		return l
	}
	return s.Str("prompt")
}

// flatSong reads an answer whose one song is not in a list: status, audio URL, cover,
// title and lyrics beside one another (GATEWAY: Music, the names are not documented).
func (t *Task) flatSong(c *collector) {
	objs := t.within
	for _, o := range objs {
		for _, n := range songParts {
			if in := o.Obj(n); in != nil {
				objs = append(objs, in)
			}
		}
		if len(objs) > 24 {
			break
		}
	}
	for _, o := range objs {
		if t.Title == "" {
			t.Title = o.Str("title")
		}
		if t.Lyrics == "" {
			t.Lyrics = o.Str("lyrics", "lyric", "text")
		}
		if u := o.link(audioURLs...); u != "" && len(c.assets) == 0 {
			kind := client.AssetAudio
			if e := extension(u); e == ".mp4" || e == ".webm" {
				kind = client.AssetVideo
			}
			c.add(client.Asset{Kind: kind, URL: u})
			c.add(client.Asset{Kind: client.AssetCover, URL: o.link(songCovers...)})
			c.add(client.Asset{Kind: client.AssetVideo, URL: o.link(songVideos...)})
		}
	}
	for i := range c.assets {
		c.assets[i].Title = t.Title
	}
	for _, o := range objs { // a list of bare URLs
		for _, n := range []string{"audio_urls", "audios", "output", "result"} {
			for _, raw := range stringsIn(o.List(n)) {
				c.add(client.Asset{Kind: client.AssetAudio, URL: raw, Title: t.Title})
			}
		}
	}
}

func stringsIn(l []json.RawMessage) []string {
	var out []string
	for _, raw := range l {
		if u, ok := webURL(text(raw)); ok {
			out = append(out, u)
		}
	}
	return out
}
