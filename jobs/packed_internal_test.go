package jobs

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/client"
)

// TestPackedKeepsAll: every fact of a job comes back from the board, a new one too.
func TestPackedKeepsAll(t *testing.T) {
	t.Parallel()
	var j Job
	fill(reflect.ValueOf(&j).Elem())
	j.Draft = client.Draft{Modality: client.Video, Model: "m", ModelName: "n", Mode: "i2v", Prompt: "a kite"}
	j.Foreign = false // the engine says it of what it returns
	b := newBoard()
	for range 2 { // what is looked at is used again
		h := b.post(&j, 1, 1, j.Profile)
		j.Seq = h.seq
		assert.Equal(t, j, h.job())
		assert.Nil(t, b.pack(&Job{ID: "plain", Profile: "p", Installation: "i", Proof: ""}, nil).rest)
	}
}

// TestPackedSeen: times come back whether they fit or not.
func TestPackedSeen(t *testing.T) {
	t.Parallel()
	made := time.UnixMilli(1_700_000_000_000)
	b := newBoard()
	for _, since := range []time.Duration{
		0, time.Millisecond, -time.Millisecond, 24 * 24 * time.Hour, -24 * 24 * time.Hour, time.Microsecond,
		-time.Microsecond, 25 * 24 * time.Hour, -25 * 24 * time.Hour, 200 * 365 * 24 * time.Hour, -50 * 365 * 24 * time.Hour,
	} {
		at := made.Add(since)
		j := Job{ID: "x", CreatedAt: made, Seen: Seen{Sent: made, Working: at, GatewayStarted: time.UnixMilli(1_000_000_000_000)}}
		h := b.pack(&j, nil)
		assert.Equal(t, j.Seen, h.seen(), since)
		fits := since%time.Millisecond == 0 && since.Abs() < 25*24*time.Hour-4*time.Hour
		assert.Equal(t, fits, h.rest == nil, since)
	}
}

// fill gives each field a value that is not the zero one.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint64:
		v.SetUint(7)
	case reflect.Float64:
		v.SetFloat(7)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(7, 0)))
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i))
			}
		}
	default: // no fact of a job by itself
	}
}
