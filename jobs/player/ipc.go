package player

import (
	"bufio"
	"encoding/json"
	"math"
	"net"
	"sync"
	"time"
)

// Bounds of mpv's protocol.
const (
	sendWait = time.Second
	maxNote  = 64 << 10 // bytes of one line
)

// ipc speaks mpv's protocol: JSON, a line each.
type ipc struct {
	conn net.Conn
	mu   sync.Mutex // a line at a time
}

func dial(socket string) (*ipc, error) {
	conn, err := net.DialTimeout("unix", socket, sendWait)
	if err != nil {
		return nil, err
	}
	return &ipc{conn: conn}, nil
}

func (c *ipc) send(command ...any) error {
	line, err := json.Marshal(map[string]any{"command": command})
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.conn.SetWriteDeadline(time.Now().Add(sendWait))
	if _, err := c.conn.Write(append(line, '\n')); err != nil {
		return errGone
	}
	return nil
}

func (c *ipc) close() { _ = c.conn.Close() }

// note is what mpv tells of a property.
type note struct {
	Event string          `json:"event"`
	Name  string          `json:"name"`
	Data  json.RawMessage `json:"data"`
}

// read passes on what mpv tells, until the connection ends.
func (c *ipc) read(each func(note)) {
	lines := bufio.NewScanner(c.conn)
	lines.Buffer(nil, maxNote)
	for lines.Scan() {
		var n note
		if json.Unmarshal(lines.Bytes(), &n) == nil && n.Event == "property-change" {
			each(n)
		}
	}
}

// into updates a state by what was told. Times are in whole seconds, so that it changes no more
// often than that.
func (n note) into(s *State) {
	switch n.Name {
	case "pause":
		_ = json.Unmarshal(n.Data, &s.Paused)
	case "time-pos":
		s.Pos = n.seconds()
	case "duration":
		s.Length = n.seconds()
	}
}

func (n note) seconds() time.Duration {
	var f float64
	const most = 1e6
	if json.Unmarshal(n.Data, &f) != nil || !(f >= 0 && f < most) {
		return 0
	}
	return time.Duration(math.Floor(f)) * time.Second
}
