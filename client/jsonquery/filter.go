// Package jsonquery looks into JSON bodies of unknown origin: filters in the language of jq, what
// differs between two bodies, and where a value stands. It is pure and bounded; a leaf.
package jsonquery

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/metrics"
	"time"

	"github.com/itchyny/gojq"

	"darkroom/client/text"
)

// Bounds of a filter.
const (
	maxFilter = 8 << 10         // of its text, in bytes
	maxResult = 8 << 20         // of all that it yields, in bytes
	longest   = 5 * time.Second // that it runs
	maxWhy    = 300             // of what is wrong with it, in bytes
	maxMemory = 256 << 20       // by which the heap may grow meanwhile, in bytes
	maxDepth  = 10_000          // of what it yields, as deep as a body may be; a deeper one could exhaust the stack
	watchEach = 20 * time.Millisecond
)

// Filter is a filter in the language of jq. It reads its body and nothing else: no environment, no
// further input, no module.
type Filter struct {
	code    *gojq.Code
	longest time.Duration // that it runs
}

// Compile reads a filter. An error says in one line what is wrong with it.
func Compile(filter string) (*Filter, error) {
	if len(filter) > maxFilter {
		return nil, fmt.Errorf("the filter has %d bytes, at most %d are read", len(filter), maxFilter)
	}
	q, err := gojq.Parse(filter)
	if err != nil {
		if p, ok := errors.AsType[*gojq.ParseError](err); ok && p.Token == "" {
			return nil, errors.New("the filter ends early")
		}
		return nil, oneLine(err)
	}
	code, err := gojq.Compile(q)
	if err != nil {
		return nil, oneLine(err)
	}
	return &Filter{code, longest}, nil
}

// Run filters a body and returns the values that come of it, each as compact JSON; numbers that the
// filter does not count with keep all their digits, and the names of an object are sorted. On an
// error the values before it are returned. It ends after five seconds, 8 MiB,
// or when it takes too much memory; but a single step of a filter cannot be ended.
func (f *Filter) Run(ctx context.Context, body []byte) (out []json.RawMessage, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = oneLine(fmt.Errorf("internal error: %v", p))
		}
	}()
	v, err := decode(body)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, f.longest)
	defer stop()
	ctx, tooMuch := context.WithCancelCause(ctx)
	defer tooMuch(nil)
	go watch(ctx, tooMuch)
	size := 0
	for next := f.code.RunWithContext(ctx, v); ; {
		v, more := next.Next()
		if !more {
			return out, nil
		}
		if err, failed := v.(error); failed {
			return out, why(ctx, err)
		}
		if deeper(v, maxDepth) {
			return out, fmt.Errorf("the filter yields values deeper than %d levels", maxDepth)
		}
		b, err := gojq.Marshal(v)
		if err != nil {
			return out, oneLine(err)
		}
		if size += len(b) + 1; size > maxResult {
			return out, fmt.Errorf("the filter yields more than %d MiB", maxResult>>20)
		}
		out = append(out, b)
	}
}

// deeper reports whether a value is nested more than so many levels deep.
func deeper(v any, levels int) bool {
	if levels < 0 {
		return true
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if deeper(e, levels-1) {
				return true
			}
		}
	case map[string]any:
		for _, e := range v {
			if deeper(e, levels-1) {
				return true
			}
		}
	}
	return false
}

var errMemory = fmt.Errorf("the filter takes more than %d MiB of memory", maxMemory>>20)

// watch ends a filter that takes too much memory.
func watch(ctx context.Context, tooMuch context.CancelCauseFunc) {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(heap)
	before := heap[0].Value.Uint64()
	each := time.NewTicker(watchEach)
	defer each.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-each.C:
		}
		metrics.Read(heap)
		if heap[0].Value.Uint64() > before+maxMemory {
			tooMuch(errMemory)
			return
		}
	}
}

// why is the error that ended a filter; nil where it asked for the end itself.
func why(ctx context.Context, err error) error {
	if halt, ok := errors.AsType[*gojq.HaltError](err); ok && halt.Value() == nil {
		return nil
	}
	if errors.Is(context.Cause(ctx), errMemory) {
		return errMemory
	}
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
		return fmt.Errorf("the filter did not end within %s", longest)
	}
	return oneLine(err)
}

// lineError is an error of the filter as one harmless line.
type lineError struct {
	text string
	err  error
}

func (e lineError) Error() string { return e.text }
func (e lineError) Unwrap() error { return e.err }

func oneLine(err error) error {
	return lineError{text.Cap(text.CleanLine(err.Error()), maxWhy), err}
}

// decode reads one JSON value; numbers keep their digits.
func decode(body []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, errors.New("the body is no JSON")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the body is more than one JSON value")
	}
	return v, nil
}
