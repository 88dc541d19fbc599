// Package dialect reads how a gateway words what the interface keeps open, from YAML: a file
// that profiles share, or a part of a profile. It checks it against the formats and the
// catalog, writes it, and has a few that are shipped as examples.
//
// What a dialect does is in [client.Dialect]; this package has no part in sending.
package dialect
