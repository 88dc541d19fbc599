package client_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/client"
)

func TestParseErrorShapes(t *testing.T) {
	for body, want := range map[string]client.TaskError{
		`{"error":{"code":"c","message":"m","type":"t","param":"p"}}`: {Code: "c", Message: "m", Type: "t", Param: "p"},
		`{"error":{"code":1102,"message":"m"}}`:                       {Code: "1102", Message: "m"},
		`{"error":{"code":"","message":"m","param":null}}`:            {Message: "m"},
		`{"code":"c","message":"m","data":null}`:                      {Code: "c", Message: "m"},
		`{"code":"c","message":"m","request_id":"r"}`:                 {Code: "c", Message: "m"},
		`{"error":"m"}`: {Message: "m"},
		`"m"`:           {Message: "m"},
		`m`:             {Message: "m"},
		`{"detail":[{"loc":["body"],"msg":"m","type":"missing"}]}`:                  {Message: "m", Type: "missing"},
		`{"code":"o","message":"{\"error\":{\"code\":\"i\",\"message\":\"m\"}}\n"}`: {Code: "i", Message: "m"},
		`{"error":{"code":"o","message":"{\"message\":\"m\"}"}}`:                    {Code: "o", Message: "m"},
		`{"code":"c","message":"<html><h1>502 Bad &amp; ugly</h1></html>"}`:         {Code: "c", Message: "502 Bad & ugly"},
		`<html><head><title>t</title></head><body>b <b>c</b></body></html>`:         {Message: "b c"},
		`<html><head><title>only this</title></head></html>`:                        {Message: "only this"},
		`{"errors":[{"code":"c","message":"m"}]}`:                                   {Code: "c", Message: "m"},
		`{"err_code":"c"}`: {Code: "c", Message: "bad request"},
		``:                 {Message: "bad request"},
		`{}`:               {Message: "bad request"},
		`null`:             {Message: "bad request"},
		`{"error":{"message":"m (request id: 2026-ab_1)"}}`: {Message: "m"},
	} {
		e := client.ParseError(client.Response{StatusCode: 400, Body: []byte(body)}, "GET", "/x", time.Now())
		assert.Equal(t, want, client.TaskError{Code: e.Code, Message: e.Message, Type: e.Type, Param: e.Param}, body)
	}
}

func TestErrorInFindsNoneWhereThereIsNone(t *testing.T) {
	for _, s := range []string{"", " ", "null", "false", "true", `""`, "{}", "[]", `{"code":"","message":""}`, `{"code":0}`, `[null]`} {
		_, ok := client.ErrorIn([]byte(s))
		assert.False(t, ok, s)
	}
}

func TestRequestIDsAndRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 20, 13, 0, 0, 0, time.UTC)
	for v, want := range map[string]time.Duration{
		"": 0, "0": 0, "-3": 0, "7": 7 * time.Second, "1.5": 1500 * time.Millisecond, "1e9": 24 * time.Hour, "soon": 0, "NaN": 0,
		"Fri, 20 Nov 2026 13:00:30 GMT": 30 * time.Second, "Fri, 20 Nov 2026 12:00:00 GMT": 0,
	} {
		h := http.Header{"Retry-After": {v}, "X-Oneapi-Request-Id": {"one"}}
		e := client.ParseError(client.Response{StatusCode: 429, Header: h}, "GET", "/x", now)
		assert.Equal(t, want, e.RetryAfter, v)
		assert.Equal(t, "one", e.RequestID)
	}
	e := client.ParseError(client.Response{StatusCode: 500, Body: []byte(`{"error":{"message":"m (request id: abc)"}}`)}, "GET", "/x", now)
	assert.Equal(t, "abc", e.RequestID)
	for body, want := range map[string]string{
		`{"code":"c","message":"m","request_id":"r-1"}`: "r-1", `{"request_id":7}`: "", `{"output":{"request_id":"x"}}`: "", `"request_id"`: "",
	} {
		e := client.ParseError(client.Response{StatusCode: 500, Body: []byte(body)}, "GET", "/x", now)
		assert.Equal(t, want, e.RequestID, body)
	}
}

func TestErrorsAreCleanAndBounded(t *testing.T) {
	body := `{"error":{"code":"\u001b[31m","message":"` + strings.Repeat("雨", 5000) + `\u202e\n"}}`
	e := client.ParseError(client.Response{StatusCode: 400, Body: []byte(body)}, "GET", "/x", time.Now())
	s := e.Error()
	assert.Equal(t, client.CleanLine(s), s)
	assert.Less(t, len(s), 4000)
	assert.LessOrEqual(t, len(e.Message), 2100)
}

func FuzzParseError(f *testing.F) {
	for _, s := range []string{
		"", `{"error":{"message":"m"}}`, `{"code":1,"message":"{\"error\":\"x\"}"}`, "<html><script>", "[[[[", `{"detail":[{}]}`,
		strings.Repeat(`{"error":`, 3000) + "1" + strings.Repeat("}", 3000), strings.Repeat("[", 20000),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		e := client.ParseError(client.Response{StatusCode: 500, Body: b}, "GET", "/x", time.Unix(0, 0))
		require.NotEmpty(t, e.Error())
		require.Equal(t, client.CleanLine(e.Error()), e.Error())
	})
}
