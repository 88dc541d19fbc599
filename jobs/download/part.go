package download

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"strings"

	"darkroom/client"
	"darkroom/jobs"
)

// partState lies beside a part file and says what may be gone on with.
type partState struct {
	Source string `json:"source"` // "content" or "url"
	ETag   string `json:"etag"`
	Total  int64  `json:"total"`
	Synced int64  `json:"synced"` // bytes that are on the disk for sure
}

// resumable is how much of the part file may be kept: only what was synced, of the same
// source, and with a strong ETag, since nothing else says that the rest fits to it.
func (g *grab) resumable() int64 {
	if len(g.r.Asset.Inline) > 0 {
		return 0
	}
	b, err := g.root.ReadFile(g.part + ".json")
	if err != nil || json.Unmarshal(b, &g.state) != nil {
		return 0
	}
	st, err := g.file.Stat()
	if err != nil || g.state.Source != g.source() || !strings.HasPrefix(g.state.ETag, `"`) {
		return 0
	}
	keep := min(st.Size(), g.state.Synced)
	if g.state.Total >= 0 && keep >= g.state.Total || keep < 0 {
		return 0
	}
	return keep
}

// continues reports whether an answer is the rest of what the part file holds.
func (g *grab) continues(m *client.Media, from int64) bool {
	return m.From == from && (m.ETag == "" || m.ETag == g.state.ETag) &&
		(g.state.Total < 0 || m.Total < 0 || m.Total == g.state.Total)
}

// sync makes what is written something to go on with. A failure only costs bytes that
// have to come again.
func (g *grab) sync() {
	if g.file.Sync() == nil {
		g.state.Synced = g.done
		g.saveState()
	}
}

// pause leaves a part file for the next try, or nothing where there is no use for it.
func (g *grab) pause(err error) {
	if isFault(err, jobs.SaveTemporary) && strings.HasPrefix(g.state.ETag, `"`) {
		g.sync()
		return
	}
	g.discard()
}

func (g *grab) discard() {
	for _, ext := range []string{".part", ".json"} {
		_ = g.root.Remove(g.part + ext) // a leftover is truncated by the next try
	}
}

func (g *grab) saveState() {
	b, err := json.Marshal(g.state)
	if err != nil {
		return
	}
	tmp := g.part + ".json.new"
	f, err := g.root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return
	}
	_, werr := f.Write(b)
	if errors.Join(werr, f.Close()) != nil || g.root.Rename(tmp, g.part+".json") != nil {
		_ = g.root.Remove(tmp)
	}
}

func (g *grab) sum() string { return hex.EncodeToString(g.hash.Sum(nil)) }
