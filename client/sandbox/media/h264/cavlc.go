package h264

// residual writes one block of transform levels with CAVLC (7.3.5.3.2, 9.2).
// levels are in zigzag order; class selects the coeff_token table. It returns
// TotalCoeff, the number of levels that are not zero.
func (t *vlcTables) residual(w *bitWriter, levels []int32, class int) int {
	var (
		vals  [16]int32 // highest frequency first
		runs  [17]int   // zeros just below each value, which is one place earlier
		total int
	)
	last := len(levels) - 1
	for last >= 0 && levels[last] == 0 {
		last--
	}
	for i := last; i >= 0; i-- {
		if levels[i] != 0 {
			vals[total] = levels[i]
			total++
			continue
		}
		runs[total]++
	}
	ones := 0
	for ones < min(total, 3) && (vals[ones] == 1 || vals[ones] == -1) {
		ones++
	}
	w.code(t.coeffToken[class][total][ones])
	if total == 0 {
		return 0
	}
	for i := range ones {
		w.flag(vals[i] < 0)
	}
	writeLevels(w, vals[:total], ones)
	t.writeRuns(w, runs[1:total+1], len(levels), last+1-total, class)
	return total
}

// writeLevels writes the levels after the trailing ones (9.2.2.1).
func writeLevels(w *bitWriter, vals []int32, ones int) {
	suffixLength := uint(0)
	if len(vals) > 10 && ones < 3 {
		suffixLength = 1
	}
	for i := ones; i < len(vals); i++ {
		v := vals[i]
		levelCode := 2*v - 2
		if v < 0 {
			levelCode = -2*v - 1
		}
		if i == ones && ones < 3 {
			levelCode -= 2 // such a level cannot be +1 or -1
		}
		writeLevelCode(w, uint32(levelCode), suffixLength)
		if suffixLength == 0 {
			suffixLength = 1
		}
		if abs32(v) > 3<<(suffixLength-1) && suffixLength < 6 {
			suffixLength++
		}
	}
}

// writeLevelCode writes level_prefix and level_suffix. Baseline allows
// prefixes up to 15; quantise keeps levels inside what that can carry.
func writeLevelCode(w *bitWriter, levelCode uint32, suffixLength uint) {
	switch {
	case suffixLength == 0 && levelCode < 14:
		w.put(1, uint(levelCode)+1)
	case suffixLength == 0 && levelCode < 30:
		w.put(1, 15)
		w.put(levelCode-14, 4)
	case suffixLength > 0 && levelCode < 15<<suffixLength:
		w.put(1, uint(levelCode>>suffixLength)+1)
		w.put(levelCode, suffixLength)
	default:
		escape := uint32(15) << suffixLength
		if suffixLength == 0 {
			escape = 30
		}
		w.put(1, 16)
		w.put(levelCode-escape, 12)
	}
}

// writeRuns writes total_zeros and every run_before (9.2.3).
func (t *vlcTables) writeRuns(w *bitWriter, runs []int, maxCoeff, zeros, class int) {
	total := len(runs)
	if total < maxCoeff {
		if class == chromaDCClass {
			w.code(t.totalZerosDC[total][zeros])
		} else {
			w.code(t.totalZeros[total][zeros])
		}
	}
	left := zeros
	for _, run := range runs[:total-1] {
		if left == 0 {
			return
		}
		w.code(t.runBefore[min(left, 7)][run])
		left -= run
	}
}

func (w *bitWriter) code(c code) { w.put(uint32(c.bits), uint(c.n)) }

func abs32(v int32) int32 {
	if v < 0 {
		return -v
	}
	return v
}

// tokenClass maps nC to the coeff_token table (Table 9-5).
func tokenClass(nC int) int {
	switch {
	case nC < 2:
		return 0
	case nC < 4:
		return 1
	case nC < 8:
		return 2
	}
	return 3
}
