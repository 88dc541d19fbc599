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
// can be made again: they depend on the record alone. What is kept is bounded: tasks that
// have ended go by age and by count, live ones never do (docs/SANDBOX.md has the figures).
//
// # Differences from the gateway that the answers admit
//
//   - Videos have the duration and the aspect ratio that were asked, at most 640
//     pixels on the long side; the query's metadata tells the real width and height, and
//     of what that is a copy (scaled_from).
//   - Music is WAV; an asked mp3 is answered with output_format "wav" and a note.
//   - Media inputs are taken from data URIs and from the server's own result URLs.
//     Any other URL is not fetched: a picture is derived from its text, and the
//     metadata says so.
//   - A request without a seed gets [Options].Seed, so that equal requests have equal
//     results.
//   - callback_url is accepted and never called.
//
// # Formats
//
// All working paths of GATEWAY.md are served, POST /v1/responses, and GET /v1/models,
// whose path the document does not show. A video task is visible through every format
// that the catalog lists as a route of its model, however it was created. Everything
// else, the reserved and the unavailable paths included, is a 404 in the error shape.
// Where the document is silent the answers follow what such gateways commonly send;
// docs/SANDBOX.md lists those choices.
//
// # Owners
//
// [Options].Owners are further keys. A task is known to the key alone that created it: to every
// other one it is not found, as an id that never was. Result URLs hold for everybody.
//
// # Faults
//
// Faults are scripted by rules of the form "NAME key=value ..."; a value with blanks or
// semicolons is put in double quotes, and an unknown name or key is refused with 400.
// There are three places for them:
//
//   - a directive anywhere in a prompt, [[sandbox:RULE]], like the test card numbers of
//     a payment gateway. It is kept with the task and left out of what is drawn. Faults
//     of answers concern the create, the queries or the results, as listed below;
//   - the header X-Sandbox-Fault: RULE; RULE. It concerns its own request. At a create
//     it scripts the task as a directive does, and faults of answers that name on=query
//     or on=content are kept for the task too; at a query it shows the task that way
//     once;
//   - [Options].Fault, RULE; RULE, for all tasks and requests of the server.
//
// In a prompt and in the options any rule may be for some tasks alone: model=PATTERN for those of
// the models that it matches (famB*), rate=0.3 for so many of them. In the options such a rule is
// as if it stood in the prompts of those tasks; it goes before one that is for all, and of several
// the last one counts. Timing, drift, failures and faulty results of a model are rules of this one
// language, and not settings beside it, so that they can be told to a server, in a prompt that
// several models get, and in virtual time alike. What is left to chance is drawn from
// [Options].Seed, the request, and how many equal ones came before: it is the same in every run,
// in whatever order different requests come.
//
// Rules about the task:
//
//	fail                       the task fails at 60 % (code=X message="Y"); synchronous
//	                           creates (images, chat) are answered with 400 and the code
//	slow                       every phase takes 10 times as long (by=N: N times; 0.5 is faster)
//	take                       the phases take queue=SECONDS and run=SECONDS in place of the timing's
//	                           figures, before slow, spread and drift
//	spread                     the phases of equal requests take up to by=N+1 times as long or as
//	                           short (0.3), evenly so that the median stays; with spread or take
//	                           seed and model make no other difference in time
//	drift                      options only: phases take by=N (2) times as long for each tasks=N
//	                           before it, of the models that it is for, or for each hours=N since
//	                           the server was made; drifts add up
//	deliver                    results differ from what was asked for: size=320x180, duration=SECONDS,
//	                           fps=N, sample-rate=N, channels=N, or a part as 50%; audio=none.
//	                           Answers tell what was made, with claim=asked what was asked for
//	stay-queued                the task never leaves the queue
//	stay-running               the task never gets beyond 42 %
//	unknown-status, status     the running phase reports a term that nobody listed
//	                           (term=X; default "reticulating")
//	first-status               the queued phase reports another term (default "unknown")
//	async                      an image request is answered by a response object
//	ignore                     what it names of the request is lost without a word: images,
//	                           duration, size, seed
//	expire                     result URLs are signed and end after=SECONDS (3600) from the answer
//	                           that names them, "fixed" from the end of the task; then they
//	                           answer status=403 or 410
//	forget                     the task is not known any more after=SECONDS (86400) from its create:
//	                           UNKNOWN in the second vendor-style format, which forgets every
//	                           task after 24 hours, 404 in the others
//
// Rules about the form of answers:
//
//	no-url                     success, but no result is named anywhere
//	error-url                  the task fails, and the text of the error is in result_url
//	types                      numbers as text, created_at and seconds the other way
//	                           round, items null, creations as JSON in a string, progress
//	                           as "30%"
//	millis                     times in milliseconds
//	zone                       times as text with a zone, by=+08:00 (default +00:00)
//	no-zone                    times as text of a clock in that zone, which is not told
//	flat                       errors as {code, message, data: null}
//
// Rules about answers. on=create, query, content (results), list (models) or all says
// which; skip=N lets N answers go well first, times=N ends it after N, counted for each
// task (header: each path; options: the server):
//
//	429, 500, http code=500    this HTTP status: 400, 401, 403, 404, 408, 409, 429, 5xx
//	                           (on create, in a prompt). retry-after=SECONDS adds the
//	                           header, with "date" as an HTTP date; "after" carries the
//	                           request out all the same, so that only the answer is lost
//	html                       a web page at 200 (on query)
//	reset                      the connection is reset in mid-body (on content)
//	truncated                  half of the announced Content-Length (on content)
//	delay                      the answer is late by ms=N, default 1000 (on query)
//
// In a header a rule without on= concerns the request that carries it.
package sandbox
