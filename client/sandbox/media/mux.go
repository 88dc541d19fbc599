package media

import (
	"bytes"
	"fmt"

	"github.com/Eyevinn/mp4ff/mp4"
)

// ticks is how many units of the track's time scale one frame lasts. The
// movie has the same time scale, so that all durations are exact.
const ticks = 1000

// track is an encoded film.
type track struct {
	width, height, fps int
	sps, pps           []byte
	samples            [][]byte // one slice NAL unit each, no start codes
	keys               []uint32 // numbers of the key frames, from 1
	sound              *sound   // nil for none
}

// mux writes a progressive MP4 file whose index stands before the data, so
// that playing can start before everything has arrived.
func (t *track) mux() ([]byte, error) {
	avcC, err := mp4.CreateAvcC([][]byte{t.sps}, [][]byte{t.pps}, true)
	if err != nil {
		return nil, fmt.Errorf("MP4: %w", err)
	}
	duration := uint64(len(t.samples)) * ticks
	moov := mp4.NewMoovBox()
	mvhd := mp4.CreateMvhd()
	mvhd.Timescale, mvhd.Duration, mvhd.NextTrackID = t.scale(), duration, 2
	moov.AddChild(mvhd)
	trak := mp4.CreateEmptyTrak(1, t.scale(), "video", "und")
	trak.Tkhd.Width, trak.Tkhd.Height = mp4.Fixed32(t.width<<16), mp4.Fixed32(t.height<<16)
	trak.Tkhd.Duration, trak.Mdia.Mdhd.Duration = duration, duration
	trak.Mdia.Hdlr.Name = "video"
	moov.AddChild(trak)

	entry := mp4.CreateVisualSampleEntryBox("avc1", uint16(t.width), uint16(t.height), avcC)
	entry.CompressorName = "darkroom sandbox"
	stbl := trak.Mdia.Minf.Stbl
	stbl.Stsd.AddChild(entry)
	total := t.table(stbl)
	if err := stbl.Stsc.AddEntry(1, uint32(len(t.samples)), 1); err != nil {
		return nil, fmt.Errorf("MP4: %w", err)
	}
	var heard *mp4.TrakBox
	if t.sound != nil {
		if heard, err = t.sound.trak(t.scale()); err != nil {
			return nil, err
		}
		mvhd.NextTrackID++
		moov.AddChild(heard)
	}

	ftyp := mp4.NewFtyp("isom", 512, []string{"isom", "iso2", "avc1", "mp41"})
	stbl.Stco.ChunkOffset = []uint32{0} // takes its room before the sizes are asked for
	begin := uint32(ftyp.Size() + moov.Size() + 8)
	stbl.Stco.ChunkOffset[0] = begin
	mdat := &mp4.MdatBox{Data: make([]byte, 0, total)}
	for _, s := range t.samples {
		mdat.Data = append(lengthPrefix(mdat.Data, len(s)), s...)
	}
	if heard != nil {
		heard.Mdia.Minf.Stbl.Stco.ChunkOffset[0] = begin + uint32(len(mdat.Data))
		mdat.Data = append(mdat.Data, bytes.Join(t.sound.frames, nil)...)
	}
	var out bytes.Buffer
	out.Grow(len(mdat.Data) + 4096)
	for _, box := range []mp4.Box{ftyp, moov, mdat} {
		if err := box.Encode(&out); err != nil {
			return nil, fmt.Errorf("MP4: %w", err)
		}
	}
	return out.Bytes(), nil
}

func (t *track) scale() uint32 { return uint32(t.fps * ticks) }

// table fills in sizes, times and key frames and returns the size of all
// samples together.
func (t *track) table(stbl *mp4.StblBox) int {
	total := 0
	for _, s := range t.samples {
		total += len(s) + 4
		stbl.Stsz.SampleSize = append(stbl.Stsz.SampleSize, uint32(len(s)+4))
	}
	stbl.Stsz.SampleNumber = uint32(len(t.samples))
	stbl.Stts.SampleCount = []uint32{stbl.Stsz.SampleNumber}
	stbl.Stts.SampleTimeDelta = []uint32{ticks}
	stbl.AddChild(&mp4.StssBox{SampleNumber: t.keys})
	return total
}

// lengthPrefix appends n as four bytes, the form that avcC announces.
func lengthPrefix(b []byte, n int) []byte {
	return append(b, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
}
