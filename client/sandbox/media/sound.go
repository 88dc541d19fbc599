package media

import (
	"context"
	"fmt"
	"time"

	"github.com/Eyevinn/mp4ff/mp4"

	"darkroom/client/sandbox/media/flac"
)

// sound is the encoded sound of a film: one channel.
type sound struct {
	samples int
	frames  [][]byte
}

// filmSound plays a tune that lasts as long as a film.
func filmSound(ctx context.Context, spec VideoSpec, lasts time.Duration) (*sound, error) {
	t, err := play(ctx, TuneSpec{Prompt: spec.Prompt, Title: spec.Title, Seed: spec.Seed, Duration: lasts, SampleRate: flac.Rate,
		Instrumental: true, Channels: 1})
	if err != nil {
		return nil, err
	}
	return &sound{len(t[0]), flac.Frames(t[0])}, nil
}

// trak describes the sound; the movie has the scale, and the sound stands in the file as one chunk.
func (s *sound) trak(scale uint32) (*mp4.TrakBox, error) {
	trak := mp4.CreateEmptyTrak(2, flac.Rate, "audio", "und")
	trak.Tkhd.Duration = uint64(s.samples) * uint64(scale) / flac.Rate
	trak.Mdia.Mdhd.Duration = uint64(s.samples)
	trak.Mdia.Hdlr.Name = "sound"
	stbl := trak.Mdia.Minf.Stbl
	info := append([]byte{0, 0, 0, 0}, flac.Info(s.samples)...) // version and flags
	stbl.Stsd.AddChild(mp4.CreateAudioSampleEntryBox("fLaC", 1, 16, flac.Rate, mp4.CreateUnknownBox("dfLa", uint64(8+len(info)), info)))
	for i, f := range s.frames {
		stbl.Stsz.SampleSize = append(stbl.Stsz.SampleSize, uint32(len(f)))
		lasts := uint32(min(flac.Block, s.samples-i*flac.Block))
		if n := len(stbl.Stts.SampleCount); n > 0 && stbl.Stts.SampleTimeDelta[n-1] == lasts {
			stbl.Stts.SampleCount[n-1]++
			continue
		}
		stbl.Stts.SampleCount = append(stbl.Stts.SampleCount, 1)
		stbl.Stts.SampleTimeDelta = append(stbl.Stts.SampleTimeDelta, lasts)
	}
	stbl.Stsz.SampleNumber = uint32(len(s.frames))
	stbl.Stco.ChunkOffset = []uint32{0} // takes its room before the sizes are asked for
	if err := stbl.Stsc.AddEntry(1, uint32(len(s.frames)), 1); err != nil {
		return nil, fmt.Errorf("MP4: %w", err)
	}
	return trak, nil
}
