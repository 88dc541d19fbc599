package transport

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// MaxRequestID bounds the id of a request, in bytes.
const MaxRequestID = 256

const maxRetry = 24 * time.Hour

// RequestID is the request id that support asks for, from any of the headers that carry it.
func RequestID(h http.Header) string {
	for _, n := range []string{
		"X-Request-Id", "X-Oneapi-Request-Id", "X-Requestid", "Request-Id", "X-Req-Id",
		"X-Correlation-Id", "X-Trace-Id", "X-Amzn-Requestid", "X-Amz-Request-Id", "Cf-Ray",
	} {
		if v := h.Get(n); v != "" {
			return v[:min(len(v), MaxRequestID)]
		}
	}
	return ""
}

// RetryAfter reads both forms of Retry-After: seconds, and a date.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if v == "" {
		return 0
	}
	if s, err := strconv.ParseFloat(v, 64); err == nil {
		if math.IsNaN(s) || s <= 0 {
			return 0
		}
		return time.Duration(math.Min(s, maxRetry.Seconds()) * float64(time.Second))
	}
	if t, err := http.ParseTime(v); err == nil {
		return min(max(t.Sub(now), 0), maxRetry)
	}
	return 0
}
