// Package wire is what the formats share: an ordered JSON body and a table-driven
// encoder for requests, and tolerant readers for answers.
//
// The readers take what gateways of this kind were seen to send, in any of the places
// and types they were seen in, and never panic. What they did not take is kept as a
// task's Extra. They hold no state; everything here is safe for concurrent use.
package wire
