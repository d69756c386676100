package matvec

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
