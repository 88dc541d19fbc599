// Package transport carries requests to one gateway: pacing, retry, the exchange log, time limits and
// authorization are round trippers around one transport. It knows no draft and no format. What it
// guarantees: the key goes to the gateway's origin alone, a create is sent once, and what is sent
// without the key reaches no address that a stranger must not choose.
package transport
