// Package h264 is a small H.264 encoder in pure Go: constrained baseline
// profile (ISO/IEC 14496-10, numbers in comments are its clauses), one slice
// a picture, CAVLC, Intra 16x16 macroblocks, and in P pictures skipped ones
// and ones predicted from the same place of the picture before. There is no
// motion search and no deblocking: it is meant for drawn pictures whose
// background stands still, where both gain little.
//
// It is deterministic: the same frames give the same bytes. What Recon shows after a frame is, bit
// for bit, what every conforming decoder shows.
package h264

import (
	"errors"
	"fmt"
)

// Config describes a stream; it cannot change while the stream lasts.
type Config struct {
	Width, Height int // shown size in luma samples, even, at least 16 each
	FPS           int // frames a second, 1..120
}

// errConfig is wrapped by every error of New.
var errConfig = errors.New("h264: unusable configuration")

// Encoder encodes one stream. It is not safe for concurrent use.
type Encoder struct {
	cfg               Config
	level             int
	mbWidth, mbHeight int
	vlc               *vlcTables

	frameNum uint32 // of the next frame
	idrID    uint32 // of the next IDR picture, 0 and 1 in turn
	started  bool

	ref, rec *Frame // the picture before and the one in work, as decoded
	src      *Frame // the frame being encoded
	last     *Frame // the source frame before, to see what did not change

	w       bitWriter
	skipRun uint32
	intra   quantisers
	inter   quantisers
	counts  coeffCounts
	mb      macroblock
}

// quantisers are the luma and chroma quantiser of one prediction kind.
type quantisers struct{ luma, chroma quantiser }

// coeffCounts remembers TotalCoeff of each 4x4 block of the picture, which
// chooses the code tables of its neighbours (9.2.1).
type coeffCounts struct {
	luma            []uint8
	chroma          [2][]uint8
	stride, cstride int
}

// New makes an encoder.
func New(cfg Config) (*Encoder, error) {
	switch {
	case cfg.Width < 16 || cfg.Height < 16 || cfg.Width%2 != 0 || cfg.Height%2 != 0:
		return nil, fmt.Errorf("%w: size %dx%d (even, at least 16x16)", errConfig, cfg.Width, cfg.Height)
	case cfg.Width > 8192 || cfg.Height > 8192:
		return nil, fmt.Errorf("%w: size %dx%d is too large", errConfig, cfg.Width, cfg.Height)
	case cfg.FPS < 1 || cfg.FPS > 120:
		return nil, fmt.Errorf("%w: %d frames a second", errConfig, cfg.FPS)
	}
	e := &Encoder{cfg: cfg, mbWidth: (cfg.Width + 15) / 16, mbHeight: (cfg.Height + 15) / 16, vlc: newVLCTables()}
	e.level = levelFor(e.mbWidth*e.mbHeight, max(e.mbWidth, e.mbHeight), cfg.FPS)
	if e.level == 0 {
		return nil, fmt.Errorf("%w: %dx%d at %d frames a second is beyond every level", errConfig, cfg.Width, cfg.Height, cfg.FPS)
	}
	e.ref, e.rec, e.last = NewFrame(cfg.Width, cfg.Height), NewFrame(cfg.Width, cfg.Height), NewFrame(cfg.Width, cfg.Height)
	e.counts = coeffCounts{stride: e.mbWidth * 4, cstride: e.mbWidth * 2}
	e.counts.luma = make([]uint8, e.mbWidth*e.mbHeight*16)
	for i := range e.counts.chroma {
		e.counts.chroma[i] = make([]uint8, e.mbWidth*e.mbHeight*4)
	}
	return e, nil
}

// Encode encodes f as one picture and returns its slice as a NAL unit without
// start code. With idr the picture stands alone and decoding can start there;
// the first one always does. qp is 0 (best) to 51. f keeps belonging to the
// caller.
func (e *Encoder) Encode(f *Frame, idr bool, qp int) ([]byte, error) {
	if f.Width != e.cfg.Width || f.Height != e.cfg.Height {
		return nil, fmt.Errorf("h264: frame is %dx%d, stream is %dx%d", f.Width, f.Height, e.cfg.Width, e.cfg.Height)
	}
	if qp < 0 || qp > 51 {
		return nil, fmt.Errorf("h264: QP %d is outside 0..51", qp)
	}
	idr = idr || !e.started
	if idr {
		e.frameNum = 0
	}
	e.src = f
	e.ref, e.rec = e.rec, e.ref
	e.intra = quantisers{newQuantiser(qp, true), newQuantiser(chromaQP(qp), true)}
	e.inter = quantisers{newQuantiser(qp, false), newQuantiser(chromaQP(qp), false)}
	e.w.reset()
	e.sliceHeader(&e.w, idr, qp)
	e.skipRun = 0
	for y := range e.mbHeight {
		for x := range e.mbWidth {
			e.macroblock(x, y, idr)
		}
	}
	if !idr && e.skipRun > 0 {
		e.w.ue(e.skipRun)
	}
	e.w.trailing()
	e.finish(f, idr)
	header := byte(nalSlice)
	if idr {
		header = nalIDR
	}
	return nalUnit(header, e.w.buf), nil
}

// finish gets the state ready for the next frame.
func (e *Encoder) finish(f *Frame, idr bool) {
	copy(e.last.Y, f.Y)
	copy(e.last.Cb, f.Cb)
	copy(e.last.Cr, f.Cr)
	if idr {
		e.idrID ^= 1
	}
	e.frameNum = (e.frameNum + 1) % (1 << frameNumBits)
	e.started = true
}
