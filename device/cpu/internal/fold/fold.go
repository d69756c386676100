package fold

// Op is what rows of one array are combined with.
type Op int

// The operations. Max and Min give a not-a-number where there is one, FMax and FMin where there is nothing else. Of zeros of
// both signs either may be the largest. Squares and Magnitudes add up x² and |x|; columns do not have them.
const (
	Sum Op = iota
	Prod
	Max
	Min
	FMax
	FMin
	Squares
	Magnitudes
)

// PairOp is what rows of two arrays are combined with.
type PairOp int

// The operations: Σa·b, Σ(a-b)², and that with one b for each row.
const (
	Products PairOp = iota
	Differences
	Deviations
)

// Longest is how long a row may be: from there on callers combine pieces, sums in pairs.
const Longest = 4096

// atOnce is how many elements one call of a routine goes through, more or less: its caller can be preempted between two.
const atOnce = 1 << 15

// Rows32 combines each of the rows, of n elements, 0 < n <= Longest, and pitch elements apart, to one value in dst.
func Rows32(op Op, dst, a *float32, rows, n, pitch int) {
	for most := rowsAtOnce(n); rows > most; rows -= most {
		rows32(op, dst, a, most, n, pitch)
		dst, a = ahead(dst, most), ahead(a, most*pitch)
	}
	rows32(op, dst, a, rows, n, pitch)
}

// Rows64 is Rows32 of float64.
func Rows64(op Op, dst, a *float64, rows, n, pitch int) {
	for most := rowsAtOnce(n); rows > most; rows -= most {
		rows64(op, dst, a, most, n, pitch)
		dst, a = ahead(dst, most), ahead(a, most*pitch)
	}
	rows64(op, dst, a, rows, n, pitch)
}

// PairRows32 combines each of the rows of a and b, whose rows are pitchB elements apart, to one value in dst.
func PairRows32(op PairOp, dst, a, b *float32, rows, n, pitch, pitchB int) {
	for most := rowsAtOnce(n); rows > most; rows -= most {
		pairRows32(op, dst, a, b, most, n, pitch, pitchB)
		dst, a, b = ahead(dst, most), ahead(a, most*pitch), ahead(b, most*pitchB)
	}
	pairRows32(op, dst, a, b, rows, n, pitch, pitchB)
}

// PairRows64 is PairRows32 of float64.
func PairRows64(op PairOp, dst, a, b *float64, rows, n, pitch, pitchB int) {
	for most := rowsAtOnce(n); rows > most; rows -= most {
		pairRows64(op, dst, a, b, most, n, pitch, pitchB)
		dst, a, b = ahead(dst, most), ahead(a, most*pitch), ahead(b, most*pitchB)
	}
	pairRows64(op, dst, a, b, rows, n, pitch, pitchB)
}

func rowsAtOnce(n int) int { return max(1, atOnce/n) }

// Columns32 combines the rows, of n elements, n > 0, and pitch elements apart, into the n values at dst. Eight rows are
// combined in pairs before the result goes into dst.
func Columns32(op Op, dst, a *float32, rows, n, pitch int) {
	for most := max(8, atOnce/n&^7); rows > most; rows -= most {
		columns32(op, dst, a, most, n, pitch)
		a = ahead(a, most*pitch)
	}
	columns32(op, dst, a, rows, n, pitch)
}

// Columns64 is Columns32 of float64.
func Columns64(op Op, dst, a *float64, rows, n, pitch int) {
	for most := max(8, atOnce/n&^7); rows > most; rows -= most {
		columns64(op, dst, a, most, n, pitch)
		a = ahead(a, most*pitch)
	}
	columns64(op, dst, a, rows, n, pitch)
}
