//go:build !linux

package prefault

// More does nothing here.
func More() {}
