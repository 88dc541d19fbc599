// Package transport carries requests to one gateway: pacing, retry, the exchange log, time limits
// and authorization are round trippers around one transport. It knows no draft and no format. It
// guarantees that the key goes to the gateway's origin alone, that a create is sent once, and that
// no request without the key reaches an address that a stranger must not choose.
package transport
