// Package expand makes many drafts of one: prompt templates with alternatives, variables
// and wildcard files, batches from tables and lines, copies that differ by their seed, and
// presets. It does no I/O but reading wildcards from the fs.FS that it is given, and it is
// fit for hostile input: sizes, depths, lengths and numbers are bounded, and nothing is
// made before it is asked for.
//
// # Templates
//
//	{red|blue|}            one of them; alternatives may be empty and may nest
//	{2$$a|b|c}             two of them, joined by ", ", in the order in which they are written
//	{1-2$$ and $$a|b|c}    one or two of them, joined by " and "
//	${name}                a variable; it has one value within a prompt, wherever it stands
//	${name:words}          a variable with what it is when nobody gives it a value
//	__name__               one line of the wildcard file name.txt
//	__folder/name__        one line of folder/name.txt
//	\{ \} \| \__ \${ \$$   the characters themselves
//
// What is none of this is text, and stays as it is byte for byte. Braces without a bar at
// their own level are text too, so that JSON passes: {"sky": "{red|blue}"} is an object
// with two possibilities. A backslash in front of anything else is a backslash; where one
// is wanted in front of a special character, it is doubled.
//
// Variables are written ${name}, not {{name}}: that one is how nested alternatives begin
// ({{a|b} c|d}), and neither {{ nor }} is safe in JSON, whose objects end in }} when they
// nest. "${" begins nothing in JSON outside of its strings.
//
// A wildcard file has a template a line. Blank lines and lines that begin with # say
// nothing; \# begins a line with #.
//
// # Order and number
//
// The possibilities of a template are numbered from 0. They are ordered as nested loops
// are: what stands further right changes faster, and a variable that is used in several
// places slower than all that is around them. The number is counted, not made, so that it
// may be astronomical. Random picks are numbers too: drawn
// with PCG (math/rand/v2) from a seed, none twice before all had their turn. The same
// template, files and seed give the same prompts on every machine.
package expand
