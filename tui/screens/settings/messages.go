package settings

// sheetMsg is what was read.
type sheetMsg struct {
	gen   int
	sheet Sheet
	err   error
}

// doneMsg says what came of a change.
type doneMsg struct {
	good    string // what to say of one that succeeded, "" for nothing
	err     error
	profile string // whose key is another one now, "" for none
}

// tested is what came of asking a gateway.
type tested struct {
	said string
	err  error
}

type testedMsg struct {
	profile string
	tested  tested
}

// sourceMsg is the text of the file, to be edited.
type sourceMsg struct {
	text string
	err  error
}
