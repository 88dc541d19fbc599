package preview

// Judge is what is found out of a picture before it is decoded: whether that is done alone, and
// whether it is done at all.
func Judge(data []byte, lim Limits) (large bool, err error) {
	w, err := codecFor(data).judge(data, lim)
	return lim.isLarge(w), err
}

// Turn is the place of the large picture that is being decoded.
func (l Limits) Turn() chan struct{} { return l.large }
