// Package wire is what the formats share: an ordered JSON body and a table-driven encoder for
// requests, and tolerant readers for answers.
//
// The readers accept what gateways of this kind have been seen to send, in any of the places and
// types in which they sent it, and never panic. What they do not use is kept as a task's Extra.
// They hold no state; everything here is safe for concurrent use.
package wire
