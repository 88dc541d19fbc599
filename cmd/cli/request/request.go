// Package request has the commands that send a request of their own: request and head.
package request

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/text"
	"darkroom/client/transport"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
)

// maxRequest bounds a body that is sent.
const maxRequest = 64 << 20

type options struct {
	k       *kit.Kit
	include bool
	raw     bool
	save    string
}

// New makes the command that sends any request.
func New(k *kit.Kit) *cobra.Command {
	o := &options{k: k}
	cmd := &cobra.Command{
		Use: "request METHOD PATH [BODY]", Short: "send any request with the profile's key",
		Long: `Sends one request to any path of the gateway with the profile's key, for what no other
command covers, and prints the body of the answer. PATH begins with /; a whole address is
taken when it is of the profile's own gateway, since the key goes nowhere else. BODY is JSON,
as text, from a file (@FILE) or from standard input (-); --raw sends what is not JSON too. It
is sent once and never again by itself, but for a GET after a connection that broke.

On a terminal JSON is indented, and characters that could do something to the terminal are
escaped. A pipe, and the file of --save, get the bytes as they came; only the key is taken
out, should the gateway repeat it. Redirects are not followed.

The exit code is 0 for a status of 200 to 299, 4 for 401 and 403, 3 for 404, else 1; and 5
when the answer to anything but a GET was lost, which may have been carried out.`,
		Example: `  darkroom request GET /v1beta/models
  darkroom request POST /v1/videos '{"model": "famI-omni", "prompt": "a red kite"}' -i
  darkroom request POST /v1/images/generations @body.json -o json | jq .body
  darkroom request GET /v1/videos/video_abc123/content --save clip.mp4`,
		Args:              cobra.RangeArgs(2, 3),
		ValidArgsFunction: o.complete,
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	f := cmd.Flags()
	f.BoolVarP(&o.include, "include", "i", false, "print the status and the headers too, without secrets")
	f.BoolVar(&o.raw, "raw", false, "send a body that is not JSON")
	f.StringVar(&o.save, "save", "", "write the body of the answer into this file")
	return cmd
}

func (o *options) run(ctx context.Context, args []string) error {
	method := strings.ToUpper(strings.TrimSpace(args[0]))
	if all := client.RawMethods(); !slices.Contains(all, method) {
		return kit.Usage("method %q: one of %s", client.CleanLine(args[0]), strings.Join(all, ", "))
	}
	c, err := o.k.Config()
	if err != nil {
		return err
	}
	body, err := o.body(ctx, method, args[2:])
	if err != nil {
		return err
	}
	gw, err := o.k.Gateway(ctx)
	if err != nil {
		return err
	}
	defer gw.Close()
	path, err := pathOn(args[1], baseOf(c, gw))
	if err != nil {
		return err
	}
	if err := gw.CheckKey(); err != nil {
		return err
	}
	a, err := gw.Client.Raw(ctx, method, path, body)
	if err != nil {
		return o.failed(ctx, method, err)
	}
	if err := o.print(method, path, a); err != nil {
		return err
	}
	return refusal(method, path, a)
}

func baseOf(c config.Config, gw *app.Gateway) string {
	if gw.Sandbox != nil {
		return gw.Sandbox.URL
	}
	return c.Profile.BaseURL
}

// failed returns the error of a request without an answer: it says so if the request may have been
// carried out.
func (o *options) failed(ctx context.Context, method string, err error) error {
	if method == http.MethodGet || method == http.MethodHead || transport.NotSent(err) {
		return err
	}
	text := fmt.Errorf("the answer was lost, and the request may have been carried out; it is not sent again by itself: %w", err)
	if ctx.Err() != nil {
		return kit.Stopped(text.Error())
	}
	return kit.Exit(kit.ExitAmbiguous, text)
}

// body reads and checks what is to be sent.
func (o *options) body(ctx context.Context, method string, args []string) ([]byte, error) {
	if len(args) == 0 {
		return nil, nil
	}
	if method == http.MethodGet || method == http.MethodHead {
		return nil, kit.Usage("%s carries no body; a query goes in the path, as /v1/videos?limit=5", method)
	}
	text, name := []byte(args[0]), "the body"
	file, isFile := strings.CutPrefix(args[0], "@")
	if isFile || args[0] == kit.Stdin {
		var err error
		name = kit.ShownFile("", file)
		if text, err = o.k.IO.Read(ctx, "", file, maxRequest); err != nil {
			return nil, err
		}
	}
	if o.raw {
		return text, nil
	}
	if _, err := client.ParseJSON(string(text)); err != nil {
		return nil, kit.Usage("%s is not JSON: %s; --raw sends it all the same", name, client.CleanLine(err.Error()))
	}
	return text, nil
}

// rawHead returns the status line and the headers of an answer, for people.
func rawHead(a client.RawAnswer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", strings.TrimSpace(fmt.Sprintf("HTTP %d %s", a.StatusCode, http.StatusText(a.StatusCode))))
	for _, k := range sortedNames(a.Header) {
		for _, v := range a.Header[k] {
			fmt.Fprintf(&b, "%s: %s\n", client.CleanLine(k), client.CleanLine(v))
		}
	}
	return b.String()
}

func sortedNames(h http.Header) []string {
	names := make([]string, 0, len(h))
	for k := range h {
		names = append(names, k)
	}
	slices.Sort(names)
	return names
}

// rawView is what `request` tells with -o json.
type rawView struct {
	Method    string      `json:"method"`
	Path      string      `json:"path"`
	Status    int         `json:"status"`
	Headers   http.Header `json:"headers"` // without secrets
	RequestID string      `json:"request_id,omitempty"`
	LatencyMS int64       `json:"latency_ms"`
	Bytes     int         `json:"bytes"`
	// Body is the body as JSON if it is JSON, else as text; BodyBase64 holds one that is not text.
	// Both are left out with --save.
	Body       any    `json:"body"`
	BodyBase64 []byte `json:"body_base64,omitempty"`
	Saved      string `json:"saved,omitempty"`
}

func (o *options) print(method, path string, a client.RawAnswer) error {
	s := o.k.IO
	if o.save != "" {
		if err := config.WritePrivate(o.save, a.Body); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
	}
	if !o.k.Out.Table() {
		v := rawView{Method: method, Path: path, Status: a.StatusCode, Headers: a.Header, RequestID: a.Meta.RequestID,
			LatencyMS: a.Meta.Latency.Milliseconds(), Bytes: len(a.Body), Saved: o.save}
		switch {
		case o.save != "":
		case utf8.Valid(a.Body):
			v.Body = kit.Body(a.Body)
		default:
			v.BodyBase64 = a.Body
		}
		return o.k.Out.One(v)
	}
	if o.include || method == http.MethodHead {
		s.Printf("%s\n", rawHead(a))
	}
	if o.save != "" {
		s.Notef("darkroom: %d bytes saved to %s\n", len(a.Body), client.CleanLine(o.save))
		return nil
	}
	if s.Tty == nil {
		_, err := s.Out.Write(a.Body)
		return err
	}
	if text := screenBody(a); text != "" {
		s.Printf("%s\n", text)
	}
	return nil
}

// screenBody returns a body for a terminal: JSON indented and escaped, other text cleaned, and only
// the size of what is not text.
func screenBody(a client.RawAnswer) string {
	b := bytes.TrimSpace(a.Body)
	switch {
	case len(b) == 0:
		return ""
	case jsonText(b) != nil:
		return string(text.CleanJSON(jsonText(b)))
	case !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0:
		kind, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
		if err != nil {
			kind = "no text"
		}
		return fmt.Sprintf("(%d bytes of %s, not shown: --save FILE keeps them)", len(a.Body), client.CleanLine(kind))
	default:
		return client.Clean(string(b))
	}
}

// refusal returns the error for a status other than success.
func refusal(method, path string, a client.RawAnswer) error {
	if a.StatusCode >= 200 && a.StatusCode < 300 {
		return nil
	}
	if a.StatusCode >= 300 && a.StatusCode < 400 {
		return fmt.Errorf("%s %s: HTTP %d: it leads to %q, and redirects are not followed", method, client.CleanLine(path), a.StatusCode, kit.FirstLine(a.Header.Get("Location"), 200))
	}
	return client.ParseError(client.Response{StatusCode: a.StatusCode, Header: a.Header, Body: a.Body}, method, path, time.Time{})
}

var errOrigin = errors.New("the key goes only to the gateway's own origin")
