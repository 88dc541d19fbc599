// Package dialect reads, from YAML, how a gateway words what the interface leaves open: a file that
// profiles share, or a part of a profile. It checks the dialect against the formats and the
// catalog, writes it, and ships a few as examples.
//
// What a dialect does is in [client.Dialect]; this package has no part in sending.
package dialect
