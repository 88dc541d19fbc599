// Package client talks to a media generation gateway: it turns a [Draft] into a
// request of one wire format, sends it, and turns the answer into a [Task].
//
// It is the only code that does HTTP to a gateway. Formats are pure codecs (see
// [Format]) injected by the composition root; authentication, redaction, pacing,
// retry and the exchange log are round trippers around one transport.
//
// The names of paths, fields and states are those of the gateway's interface
// specification; doc comments name its sections as "GATEWAY: <section>".
package client
