package create

import "darkroom/client"

// mediaLong continues the help where it says what is printed.
const mediaLong = `the job. With --wait it follows the task to its end; with --download it
also saves the results into a folder. A create is never sent twice by itself.

Files, as http(s) addresses, data: addresses or paths, are given one a flag; so are the
items of lists, as JSON. --dry-run prints the request and sends nothing; with -o json it
prints more about it, with -o curl a command that sends the same.`

// setLong is the paragraph about raw additions in the help.
const setLong = `

What no flag covers is added to the body as it stands. --set PLACE=VALUE puts a value at a
place and leaves alone what stands beside it: names separated by dots, [0] for the first
item of an array (or the next one). A value that is JSON (a number, true, false, null, an
object, an array, a text in double quotes) is taken as such, anything else as text;
PLACE:=JSON takes JSON only. A backslash in front of a dot or a bracket makes it a part of
the name:
  --set parameters.seed=9007199254740993 --set content[0].role=first_frame
  --set label=7 is a number, --set 'label="7"' the text

--body FILE reads a whole request body, in the names of any format, as a start: flags win
over it, and what no flag knows is sent as it stands.`

// chatLong is mediaLong for chat.
const chatLong = `the answer as it came; -o json prints the job with the answer as its
"text". Which models there are, the gateway's own list tells. --dry-run prints the request
and sends nothing; with -o curl it prints a command that sends the same. ` + "`darkroom chat`" + `
holds a conversation.`

// creation is one kind of thing to create.
type creation struct {
	modality      client.Modality
	what, example string
	long          string // of the help, from what is printed on
}

func creations() []creation {
	return []creation{
		{client.Video, "a video", `  darkroom create video --model famI-omni --prompt "a red kite over a salt flat" --wait --download .
  darkroom create video --mode i2v --image kite.png --prompt "it rises" --duration 6
  darkroom create video --model famG-h3 --content reference_image:kite=kite.png --content audio=wind.mp3 "the kite rises"
  darkroom create video --prompt - --dry-run -o curl <prompt.txt
  darkroom create video --body request.json --set parameters.seed=7 --format tasks`, mediaLong + contentLong},
		{client.Image, "an image", `  darkroom create image --model famL-2 --prompt "a lighthouse" --size 1024x1024 --download .
  darkroom create image --images a.png --images b.png --prompt "both in one room" --count 2`, mediaLong},
		{client.Music, "a piece of music or sound", `  darkroom create music --prompt "slow piano, rain" --title Rain --download .`, mediaLong},
		{client.Speech, "speech of a text", `  darkroom create speech "The kite rises." --speed 0.9 --download .
  darkroom create speech --prompt - --download . <chapter.txt`, mediaLong + `

The prompt is the text to be spoken.`},
		{client.Chat, "a chat answer", `  darkroom create chat --model MODEL "why do kites fly?"
  darkroom create chat --model MODEL --system "answer in one line" - <question.txt`, chatLong},
	}
}
