// Package paint owns the terminal: its modes and their restoring, what is read
// from it, and every byte that is written to it.
//
// bubbletea's event loop runs without bubbletea's renderer. After each Update
// the frame (the inner model's whole View) goes into a one-slot mailbox; the
// painter compares it with what the terminal holds and sends the cells that
// differ, in one write, at once. Nothing is painted on a clock: a program that
// is idle writes nothing and wakes nobody.
//
//	t, err := paint.Open(paint.Options{Mouse: true, Title: "darkroom"})
//	...
//	final, err := t.Run(ctx, model)
//
// What the package guarantees:
//
//   - Enter and Leave are one pair. Leave happens on every way out: quit, error,
//     a panic in Update, View, a command or a goroutine started with
//     [Terminal.Go], SIGTERM, SIGHUP, SIGINT, a lost terminal. What cannot be
//     recovered in this process (a panic in a foreign goroutine, SIGKILL) is
//     healed by a small guardian process.
//   - A loop that hangs is left behind soon after a second ctrl+c, or another reason to
//     end; Run returns a [*HungError].
//   - A terminal that does not read never blocks Update: only the newest frame
//     is kept for it.
//   - Only text and SGR sequences of a frame reach the terminal. Other control
//     sequences and control characters in it are dropped.
//   - Answers of the terminal never arrive as typed text. They are delivered as
//     [BackgroundMsg], [VersionMsg] and [PicturesMsg].
//   - Pictures ([Terminal.Put]) are cells of a frame like others: they scroll, can be
//     covered and are erased with it. What the terminal keeps of them is freed at Leave.
//   - Runes that arrive in one read are delivered one key at a time, with one
//     paint at the end; a bracketed paste stays one message.
//   - Messages that are not input (key, mouse, focus, size, an answer of the
//     terminal) cause at most 20 paints a second.
//
// The inner model must not use bubbletea's own terminal commands (alt screen, mouse, cursor, title,
// ClearScreen, Println, Exec, ExecProcess): here they do nothing, or harm. Use [Exec] and
// [Suspend]. A tea.WithFilter option is not supported; [Terminal.Run] needs the filter itself.
package paint
