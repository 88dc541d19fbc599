// Package counterpart is a server for tests that behaves as public gateways of this kind were
// seen to behave, where they differ from what the interface lets one expect: vendor words in
// paths, envelopes, states that come in another order, errors in two shapes, a web page with
// 200 for a path that is under no known prefix, Range that is announced and ignored.
//
// It is imported by tests alone. The gateway to develop against is client/sandbox, which
// behaves as the interface says. Its bodies are made up after what was seen; none is copied.
package counterpart
