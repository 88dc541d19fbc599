// Package sandbox is the embedded gateway: an HTTP server that speaks the gateway's
// interface (GATEWAY.md) and makes its media itself, without any model and without
// ever calling anything. The console starts it in-process when no profile is
// configured; other programs can use it on its own.
//
// # What it keeps, and what follows from it
//
// A task is one immutable record: what was asked, when, and how long it will take.
// Its state is a pure function of that record and of the time ([Options].Clock), so
// nothing runs in the background, a restart loses nothing, and two servers that share
// a folder see each other's tasks. Media are made when they are first fetched, and
// can be made again: they depend on the record alone.
//
// # Differences from the gateway that the answers admit
//
//   - Videos have the duration and the aspect ratio that were asked, at most 640
//     pixels on the long side; the query's metadata tells the real width and height.
//   - Music is WAV; an asked mp3 is answered with output_format "wav" and a note.
//   - Media inputs are taken from data URIs and from the server's own result URLs.
//     Any other URL is not fetched: a picture is derived from its text, and the
//     metadata says so.
//   - A request without a seed gets [Options].Seed, so that equal requests have equal
//     results.
//   - callback_url is accepted and never called.
//
// # Directives
//
// A directive anywhere in the prompt scripts a fault, like the test card numbers of a
// payment gateway. The form is [[sandbox:NAME key=value ...]]; a value with blanks is
// put in double quotes. An unknown name or key is refused with 400. Directives are
// left out of what is drawn.
//
//	[[sandbox:fail]]                    the task fails at 60 % (code generation_failed)
//	[[sandbox:fail code=X message="Y"]] the same with an error code and message
//	[[sandbox:slow]]                    every phase takes 10 times as long (by=N: N times)
//	[[sandbox:stay-queued]]             the task never leaves the queue
//	[[sandbox:stay-running]]            the task never gets beyond 42 %
//	[[sandbox:unknown-status]]          the running phase reports a term that nobody
//	                                    listed (term=X names it; default "reticulating")
//	[[sandbox:status term=X]]           the same
//	[[sandbox:async]]                   an image request is answered by a response object
//	[[sandbox:429]]                     the create is refused with that HTTP status: 400,
//	                                    401, 403, 404, 408, 409, 429 or any 5xx.
//	                                    times=N refuses the first N creates with this
//	                                    text only; retry-after=SECONDS adds the header
//	[[sandbox:500 after]]               the task is created, and then the create is
//	                                    answered with that status all the same
//	[[sandbox:http code=503]]           the long form of [[sandbox:503]]
//
// Synchronous creates (images) answer a fail directive with HTTP 400 and the code.
package sandbox
