//go:build !unix

package store

// mayWrite cannot tell here.
func mayWrite(string) error { return nil }

// freeBytes is not known here.
func freeBytes(string) int64 { return -1 }
