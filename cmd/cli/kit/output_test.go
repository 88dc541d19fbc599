package kit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/config"
)

func TestRawIsRaw(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	s := &IO{Out: &out, Err: io.Discard}
	require.NoError(t, s.Raw([]byte(nasty)))
	require.Equal(t, nasty+"\n", out.String())
	s.Tty = os.Stdout // only that it is set counts
	out.Reset()
	require.NoError(t, s.Raw([]byte(nasty)))
	require.Equal(t, client.Clean(nasty)+"\n", out.String())
}

func TestYAMLMeansTheSame(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		`{}`, `[]`, `null`, `true`, `-1.5e3`, `12345678901234567890`, `"x"`, `""`,
		`{"a":{"b":[1,[2,{"c":null}],[],{}],"d":{"e":{}}},"f":[{"g":1,"h":[{"i":2}]}]}`,
		`["yes","No","null","~","1e3","0x10","1:2","a: b","a #b","- a","?","*a","&a","!a","%a","@a"," a","a ","a\nb","a\tb","\u0000\u001b\u0085\u202e😀","it's","\"q\"","\\","2024-01-01","/a/b.png","a/","<<","="]`,
		`{"yes":1,"a b":2,"":3,"1":4,"a: b":5,"\u001b":6}`,
	} {
		b, err := yamlOf([]byte(s))
		require.NoError(t, err, s)
		require.NotContains(t, string(b), "\x1b")
		var want, got any
		require.NoError(t, json.Unmarshal([]byte(s), &want))
		require.NoError(t, yaml.Unmarshal(b, &got), "%s", b)
		wantJSON, err := json.Marshal(want)
		require.NoError(t, err)
		gotJSON, err := json.Marshal(got)
		require.NoError(t, err)
		require.JSONEq(t, string(wantJSON), string(gotJSON), "%s", b)
	}
	_, err := yamlOf([]byte(`{"a":`))
	require.Error(t, err)
}

func FuzzVisible(f *testing.F) {
	f.Add(nasty)
	f.Add("😀\u2028\ufffd\xff")
	f.Fuzz(func(t *testing.T, s string) {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		require.NoError(t, enc.Encode(map[string]string{"a": s}))
		safe := Visible(b.Bytes())
		var before, after map[string]string
		require.NoError(t, json.Unmarshal(b.Bytes(), &before))
		require.NoError(t, json.Unmarshal(safe, &after))
		require.Equal(t, before, after)
		for _, r := range string(safe) {
			require.True(t, harmless(r), "%q", r)
		}
		y, err := yamlOf(b.Bytes())
		require.NoError(t, err)
		for _, r := range string(y) {
			require.True(t, harmless(r), "%q", r)
		}
	})
}

func TestRowsAreAligned(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	require.NoError(t, Rows(&b, []string{"A", "B"}, [][]string{{"盐田", "x"}, {"ab\x1b[31m", "y\nz"}, {"", ""}}))
	lines := strings.Split(b.String(), "\n")
	require.Equal(t, "盐田", strings.TrimSuffix(lines[1], strings.TrimLeft(lines[1], "盐田")))
	require.NotContains(t, b.String(), "\x1b")
	require.Len(t, lines, 5)
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, ExitOK},
		{errors.New("x"), ExitFailed},
		{Usage("x"), ExitUsage},
		{fmt.Errorf("y: %w", NotFound("x")), ExitNotFound},
		{config.ErrNoKey, ExitAuth},
		{&client.APIError{HTTPStatus: 401}, ExitAuth},
		{&client.APIError{HTTPStatus: 404}, ExitNotFound},
		{&client.APIError{HTTPStatus: 500}, ExitFailed},
		{&client.CreateError{Outcome: client.OutcomeAmbiguous, Err: errors.New("x")}, ExitAmbiguous},
		{&client.CreateError{Outcome: client.OutcomeRefused, Err: &client.APIError{HTTPStatus: 403}}, ExitAuth},
		{context.Canceled, ExitCancelled},
		{Stopped("x"), ExitCancelled},
	} {
		require.Equal(t, c.want, Code(c.err), "%v", c.err)
	}
}

// nasty is text that would do something to a terminal.
const nasty = "a\x1b]0;owned\x07b\u202ec\u200bd\u009b2Je"
