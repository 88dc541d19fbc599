package jsonquery

import "time"

// For sets how long the filter may run: on a busy machine memory takes its time.
func (f *Filter) For(d time.Duration) *Filter { f.longest = d; return f }
