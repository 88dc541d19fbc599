package chat

import (
	"context"
	"io"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
)

// word is a command of a conversation on a terminal.
type word struct {
	name, arg, help string
	// run runs the command and returns a message to send, "" for none; io.EOF leaves.
	run func(t *talker, ctx context.Context, arg string) (string, error)
}

func words() []word {
	return []word{
		{"/system", "[TEXT]", "set the system message; - takes it away, nothing shows it", (*talker).wordSystem},
		{"/clear", "", "forget the messages; the system message stays", (*talker).wordClear},
		{"/save", "FILE", "write the messages as JSON, for --conversation", (*talker).wordSave},
		{"/file", "PATH", "send the text of a file", (*talker).wordFile},
		{"/retry", "", "send the message again that got no answer", (*talker).wordRetry},
		{"/help", "", "list the commands", (*talker).wordHelp},
		{"/exit", "", "leave, as ctrl+d does", func(*talker, context.Context, string) (string, error) { return "", io.EOF }},
	}
}

// isCommand reports whether a line is a command: it begins with / and not with //.
func isCommand(line string) bool {
	return strings.HasPrefix(line, "/") && !strings.HasPrefix(line, "//")
}

// command runs a command, or returns a message to send.
func (t *talker) command(ctx context.Context, text string) (string, error) {
	if !isCommand(text) {
		if strings.HasPrefix(text, "//") {
			text = text[1:]
		}
		return text, nil
	}
	name, arg, _ := strings.Cut(strings.TrimSpace(text), " ")
	for _, w := range words() {
		if w.name == name {
			return w.run(t, ctx, strings.TrimSpace(arg))
		}
	}
	t.note("there is no command " + kit.FirstLine(name, 40) + "; /help lists them, and a message that begins with / is sent with //")
	return "", nil
}

func (t *talker) wordSystem(_ context.Context, arg string) (string, error) {
	switch arg {
	case "":
		if now := t.talk.system(); now != "" {
			t.say("system: " + client.Clean(now) + "\n")
		} else {
			t.say("there is no system message\n")
		}
		return "", nil
	case "-":
		arg = ""
		t.say("no system message from here on\n")
	default:
		t.say("the system message is set\n")
	}
	t.talk.setSystem(arg)
	return "", nil
}

func (t *talker) wordClear(context.Context, string) (string, error) {
	system := t.talk.system()
	t.talk.messages = nil
	t.talk.setSystem(system)
	text := "the messages are forgotten"
	if t.talk.file != "" {
		text += "; " + client.CleanLine(t.talk.file) + " keeps them until the next answer"
	}
	t.say(text + "\n")
	return "", nil
}

func (t *talker) wordSave(_ context.Context, arg string) (string, error) {
	if arg == "" {
		t.note("/save FILE: name a file")
		return "", nil
	}
	err := mayWrite(arg)
	if err == nil {
		err = writeConversation(arg, t.talk.messages)
	}
	if err != nil {
		t.note(err.Error())
		return "", nil
	}
	t.say(human.Plural(len(t.talk.messages), "message") + " saved to " + client.CleanLine(arg) + "\n")
	return "", nil
}

func (t *talker) wordFile(ctx context.Context, arg string) (string, error) {
	if arg == "" || arg == "-" {
		t.note("/file PATH: name a file")
		return "", nil
	}
	text, err := t.o.text(ctx, arg)
	if err != nil {
		t.note(err.Error())
		return "", nil
	}
	return strings.TrimSpace(text), nil
}

func (t *talker) wordRetry(context.Context, string) (string, error) {
	if t.unsent == "" {
		t.note("there is no message without an answer")
	}
	return t.unsent, nil
}

func (t *talker) wordHelp(context.Context, string) (string, error) {
	var cells [][]string
	for _, w := range words() {
		cells = append(cells, []string{strings.TrimSpace(w.name + " " + w.arg), w.help})
	}
	_ = kit.Rows(t.o.k.IO.Out, []string{"COMMAND", ""}, cells) // a failure is kept by the stream
	t.say("A line that ends with \\ goes on in the next one. ctrl+c stops an answer, a second one leaves.\n")
	return "", nil
}
