package inspect

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/human"
)

// ResultCheck is what the address of a result answers to a request without the key.
type ResultCheck struct {
	URL  string
	Head client.Head
	Err  error
	// Expires is when the address says that it ends, zero if it does not say.
	Expires time.Time
}

// Alive reports whether the result is still there to be fetched.
func (c ResultCheck) Alive() bool {
	return c.Err == nil && c.Head.StatusCode >= 200 && c.Head.StatusCode <= 299
}

// Words says what the check showed, such as "200 OK, video/mp4, 3.2 MB, expires in 23 h".
func (c ResultCheck) Words(now time.Time) string {
	if c.Err != nil {
		return "no answer: " + client.CleanLine(c.Err.Error())
	}
	parts := []string{c.Head.Status()}
	if c.Head.MediaType != "" {
		parts = append(parts, c.Head.MediaType)
	}
	if c.Head.Bytes >= 0 {
		parts = append(parts, human.Bytes(c.Head.Bytes))
	}
	switch left := c.Expires.Sub(now); {
	case c.Expires.IsZero():
	case left >= time.Second:
		parts = append(parts, "expires in "+human.Age(left))
	case left > 0:
		parts = append(parts, "expires now")
	default:
		parts = append(parts, "expired "+human.Ago(-left))
	}
	return strings.Join(parts, ", ")
}

// ResultURLs returns the addresses of the task's results, each once: those of the best answer, else
// those that the history has.
func (f *Findings) ResultURLs() []string {
	var assets []client.Asset
	if t := f.Task(); t != nil {
		assets = t.Assets
	} else if f.Job != nil {
		assets = f.Job.Assets
	}
	var out []string
	seen := map[string]bool{}
	for _, a := range assets {
		if a.URL != "" && !seen[a.URL] {
			seen[a.URL] = true
			out = append(out, a.URL)
		}
	}
	return out
}

// Expiry returns when a signed address ends, as its own query says: a number of seconds after a
// date, or at a given time. It is zero if the query says nothing that is understood.
func Expiry(address string) time.Time {
	u, err := url.Parse(address)
	if err != nil {
		return time.Time{}
	}
	q := map[string]string{}
	for k, v := range u.Query() {
		q[strings.ToLower(k)] = v[0]
	}
	for _, vendor := range []string{"x-amz-", "x-goog-", "x-tos-", "x-oss-", "x-cos-"} {
		from, err := time.Parse("20060102T150405Z", q[vendor+"date"])
		seconds, bad := strconv.Atoi(q[vendor+"expires"])
		if err == nil && bad == nil && seconds > 0 && seconds <= 10*366*24*3600 {
			return from.Add(time.Duration(seconds) * time.Second)
		}
	}
	for _, k := range []string{"expires", "expire", "exp", "se", "x-oss-expires"} {
		if n, err := strconv.ParseInt(q[k], 10, 64); err == nil && n > 1e9 && n < 1e11 {
			return time.Unix(n, 0).UTC()
		}
		if t, err := time.Parse(time.RFC3339, q[k]); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
