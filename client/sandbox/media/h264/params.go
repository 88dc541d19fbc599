package h264

// NAL unit headers: nal_ref_idc 3 with the unit's type (7.4.1).
const (
	nalSlice = 0x61
	nalIDR   = 0x65
	nalSPS   = 0x67
	nalPPS   = 0x68
)

const frameNumBits = 4

// levelLimit is what one level allows (Table A-1).
type levelLimit struct{ idc, frameMBs, mbsPerSecond int }

var levelLimits = []levelLimit{
	{10, 99, 1485}, {11, 396, 3000}, {12, 396, 6000}, {13, 396, 11880}, {21, 792, 19800},
	{22, 1620, 20250}, {30, 1620, 40500}, {31, 3600, 108000}, {32, 5120, 216000},
	{40, 8192, 245760}, {42, 8704, 522240}, {50, 22080, 589824}, {51, 36864, 983040}, {52, 36864, 2073600},
}

// levelFor is the lowest level that holds frames of so many macroblocks at so
// many frames a second, the longer side being longMBs macroblocks; 0 if none.
func levelFor(frameMBs, longMBs, fps int) int {
	for _, l := range levelLimits {
		if frameMBs <= l.frameMBs && frameMBs*fps <= l.mbsPerSecond && longMBs*longMBs <= 8*l.frameMBs {
			return l.idc
		}
	}
	return 0
}

// SPS returns the sequence parameter set as a NAL unit without start code
// (7.3.2.1): constrained baseline, one reference frame, output order equal to
// decoding order, BT.709 limited range, constant frame rate.
func (e *Encoder) SPS() []byte {
	w := &bitWriter{}
	w.put(66, 8)   // profile_idc: baseline
	w.put(0xc0, 8) // constraint_set0 and 1: constrained baseline
	w.put(uint32(e.level), 8)
	w.ue(0)                // seq_parameter_set_id
	w.ue(frameNumBits - 4) // log2_max_frame_num_minus4
	w.ue(2)                // pic_order_cnt_type
	w.ue(1)                // max_num_ref_frames
	w.flag(false)          // gaps_in_frame_num_value_allowed_flag
	w.ue(uint32(e.mbWidth - 1))
	w.ue(uint32(e.mbHeight - 1))
	w.flag(true) // frame_mbs_only_flag
	w.flag(true) // direct_8x8_inference_flag
	right, bottom := (e.mbWidth*16-e.cfg.Width)/2, (e.mbHeight*16-e.cfg.Height)/2
	cropped := right > 0 || bottom > 0
	w.flag(cropped)
	if cropped { // in units of two luma samples
		w.ue(0)
		w.ue(uint32(right))
		w.ue(0)
		w.ue(uint32(bottom))
	}
	w.flag(true) // vui_parameters_present_flag
	e.vui(w)
	w.trailing()
	return nalUnit(nalSPS, w.buf)
}

// vui writes the usability information (E.1.1).
func (e *Encoder) vui(w *bitWriter) {
	w.flag(true) // aspect_ratio_info_present_flag
	w.put(1, 8)  // square samples
	w.flag(false)
	w.flag(true) // video_signal_type_present_flag
	w.put(5, 3)  // video_format: unspecified
	w.flag(false)
	w.flag(true) // colour_description_present_flag
	w.put(1, 8)
	w.put(1, 8)
	w.put(1, 8)
	w.flag(false) // chroma_loc_info_present_flag
	w.flag(true)  // timing_info_present_flag
	w.put(1, 32)  // num_units_in_tick
	w.put(uint32(2*e.cfg.FPS), 32)
	w.flag(true)  // fixed_frame_rate_flag
	w.flag(false) // nal_hrd_parameters_present_flag
	w.flag(false) // vcl_hrd_parameters_present_flag
	w.flag(false) // pic_struct_present_flag
	w.flag(true)  // bitstream_restriction_flag
	w.flag(true)  // motion_vectors_over_pic_boundaries_flag
	w.ue(0)       // max_bytes_per_pic_denom
	w.ue(0)       // max_bits_per_mb_denom
	w.ue(10)      // log2_max_mv_length_horizontal
	w.ue(10)      // log2_max_mv_length_vertical
	w.ue(0)       // max_num_reorder_frames
	w.ue(1)       // max_dec_frame_buffering
}

// PPS returns the picture parameter set as a NAL unit without start code
// (7.3.2.2): CAVLC, one slice group, deblocking controlled by the slice.
func (e *Encoder) PPS() []byte {
	w := &bitWriter{}
	w.ue(0)       // pic_parameter_set_id
	w.ue(0)       // seq_parameter_set_id
	w.flag(false) // entropy_coding_mode_flag
	w.flag(false) // bottom_field_pic_order_in_frame_present_flag
	w.ue(0)       // num_slice_groups_minus1
	w.ue(0)       // num_ref_idx_l0_default_active_minus1
	w.ue(0)       // num_ref_idx_l1_default_active_minus1
	w.flag(false) // weighted_pred_flag
	w.put(0, 2)   // weighted_bipred_idc
	w.se(0)       // pic_init_qp_minus26
	w.se(0)       // pic_init_qs_minus26
	w.se(0)       // chroma_qp_index_offset
	w.flag(true)  // deblocking_filter_control_present_flag
	w.flag(false) // constrained_intra_pred_flag
	w.flag(false) // redundant_pic_cnt_present_flag
	w.trailing()
	return nalUnit(nalPPS, w.buf)
}

// sliceHeader writes the header of a picture's only slice (7.3.3).
func (e *Encoder) sliceHeader(w *bitWriter, idr bool, qp int) {
	w.ue(0) // first_mb_in_slice
	if idr {
		w.ue(7) // I, and so is the whole picture
	} else {
		w.ue(5) // P, likewise
	}
	w.ue(0)                         // pic_parameter_set_id
	w.put(e.frameNum, frameNumBits) // frame_num
	if idr {
		w.ue(e.idrID)
		w.put(0, 2) // no_output_of_prior_pics_flag, long_term_reference_flag
	} else {
		w.flag(false) // num_ref_idx_active_override_flag
		w.flag(false) // ref_pic_list_modification_flag_l0
		w.flag(false) // adaptive_ref_pic_marking_mode_flag
	}
	w.se(int32(qp - 26))
	w.ue(1) // disable_deblocking_filter_idc: off
}
