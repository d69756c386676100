package matvec

// RotateChain rotates neighbouring rows of a matrix, which are line elements apart: it replaces the rows x and y by c·x + s·y and c·y - s·x, for
// rows 0 and 1 with c[0] and s[0], then for rows 1 and 2 with c[1] and s[1], and so on. The rows have n elements. If they are in descending
// order, line is negative; row 0 begins at a[start].
func RotateChain[T Float](a []T, start, line, n int, c, s []T) {
	s = s[:len(c)]
	if len(c) == 0 || n == 0 {
		return
	}
	end := start + len(c)*line
	a = a[:max(start, end)+n]
	_ = a[min(start, end)]
	for from := 0; from < n; from += piece {
		rotateChainPiece(a, start+from, line, min(piece, n-from), c, s)
	}
}

// plainRotateChain is the reference for the routines of RotateChain.
func plainRotateChain[T Float](a []T, start, line, n int, c, s []T) {
	for i, cosine := range c {
		plainRotate(a[start+i*line:][:n], a[start+(i+1)*line:], cosine, s[i])
	}
}

// Gaps stores in gaps the differences of d from at.
func Gaps(gaps, d []float64, at float64) {
	d = d[:len(gaps)]
	for from := 0; from < len(d); from += piece {
		to := min(from+piece, len(d))
		gapsPiece(gaps[from:to], d[from:to], at)
	}
}

// SquareGaps stores in gaps the differences of the squares of d from that of at, (d - at)·(d + at).
func SquareGaps(gaps, d []float64, at float64) {
	d = d[:len(gaps)]
	for from := 0; from < len(d); from += piece {
		to := min(from+piece, len(d))
		squareGapsPiece(gaps[from:to], d[from:to], at)
	}
}

// plainGaps is the reference for the routines of Gaps, plainSquareGaps for those of SquareGaps.
func plainGaps(gaps, d []float64, at float64) {
	for i, v := range d {
		gaps[i] = v - at
	}
}

func plainSquareGaps(gaps, d []float64, at float64) {
	for i, v := range d {
		gaps[i] = (v - at) * (v + at)
	}
}
