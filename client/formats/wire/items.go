package wire

// inside is the object in a container; of a list of tasks, the first.
func (o *Obj) inside(name string) *Obj {
	if in := o.Obj(name); in != nil || o == nil {
		return in
	}
	l := array(o.get(name))
	if len(l) == 0 {
		return nil
	}
	in := object(l[0])
	switch {
	case in == nil || in.Str("type") != "":
		return nil
	case in.Has("audio_url", "audioUrl", "audio", "song_url", "music_url", "lyric", "lyrics") && !in.Has("task_id", "taskId"):
		return nil // a song is a result and no task
	case in.Str("task_id", "taskId") != "", len(l) == 1 && (in.task() || in.holdsTask()):
		return in
	default:
		return nil
	}
}

// itemProgress is the mean progress of the items (GATEWAY: items[].progress).
func (t *Task) itemProgress() float64 {
	sum, n := 0.0, 0
	for _, raw := range t.main.many("items") {
		in := object(raw)
		if in == nil {
			continue
		}
		p := progress(in.get("progress"))
		if p < 0 {
			return -1
		}
		sum += p
		n++
	}
	if n == 0 {
		return -1
	}
	return sum / float64(n)
}
