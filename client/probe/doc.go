// Package probe finds out which of the documented paths and models a gateway has, without creating
// anything: it sends only GET requests, for lists and for a task whose id nobody can have. Its
// findings become a proposal for a dialect.
package probe
