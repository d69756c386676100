package reduce

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// Op is the operation that combines the elements of a row, or of a column, into one value.
type Op int

// The operations. Max and Min give NaN if any element is NaN, FMax and FMin only if all are. Among zeros with both
// signs either may be the largest. Squares and Magnitudes add up x² and |x|; columns do not have them.
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

// PairOp is the operation that combines the elements of two rows, one from each array, into one value.
type PairOp int

// The operations: Σa·b, Σ(a-b)², and Σ(a-b)² with one b per row.
const (
	Products PairOp = iota
	Differences
	Deviations
)

// Longest is the largest length of a row. Callers split longer rows into pieces and combine the results, sums pairwise.
const Longest = 4096

// atOnce is roughly the number of elements that one routine call processes. The goroutine can be preempted only between
// calls.
const atOnce = 1 << 15

// Rows combines the elements of each row into one value, which it stores in dst. A row has n elements, 0 < n <=
// Longest; rows begin pitch elements apart.
func Rows[T scalar.Float](op Op, dst, a *T, rows, n, pitch int) {
	if farApart[T](rows, n, pitch) {
		var some [together]T
		apart := rows / together
		for i := range apart {
			rowsPiece(op, &some[0], ahead(a, i*pitch), together, n, apart*pitch)
			for k, v := range some {
				*ahead(dst, i+k*apart) = v
			}
		}
		if rows -= together * apart; rows == 0 {
			return
		}
		dst, a = ahead(dst, together*apart), ahead(a, together*apart*pitch)
	}
	for most := rowsAtOnce(n); rows > most; rows -= most {
		rowsPiece(op, dst, a, most, n, pitch)
		dst, a = ahead(dst, most), ahead(a, most*pitch)
	}
	rowsPiece(op, dst, a, rows, n, pitch)
}

// PairRows is Rows for two arrays: it combines row i of a with row i of b. The rows of b begin pitchB elements apart.
func PairRows[T scalar.Float](op PairOp, dst, a, b *T, rows, n, pitch, pitchB int) {
	if farApart[T](rows, n, pitch) {
		var some [together]T
		apart := rows / together
		for i := range apart {
			pairRowsPiece(op, &some[0], ahead(a, i*pitch), ahead(b, i*pitchB), together, n, apart*pitch, apart*pitchB)
			for k, v := range some {
				*ahead(dst, i+k*apart) = v
			}
		}
		if rows -= together * apart; rows == 0 {
			return
		}
		dst, a, b = ahead(dst, together*apart), ahead(a, together*apart*pitch), ahead(b, together*apart*pitchB)
	}
	for most := rowsAtOnce(n); rows > most; rows -= most {
		pairRowsPiece(op, dst, a, b, most, n, pitch, pitchB)
		dst, a, b = ahead(dst, most), ahead(a, most*pitch), ahead(b, most*pitchB)
	}
	pairRowsPiece(op, dst, a, b, rows, n, pitch, pitchB)
}

// together is how many rows the routines go along at once.
const together = 4

// farApart reports whether rows that follow each other in memory are gone along along four lines far apart, a quarter of the
// rows each. Four neighbouring rows are four short lines of memory: the processor's prefetching would begin anew for each, and
// reads beyond its end.
func farApart[T scalar.Float](rows, n, pitch int) bool {
	const longLine = 2048 // bytes
	var v T
	return rows >= 4*together && n*int(unsafe.Sizeof(v)) >= longLine && n <= pitch && pitch <= 2*n
}

func rowsAtOnce(n int) int { return max(1, atOnce/n) }

// Columns combines each of the n values at dst, n > 0, with the elements of its column. There are rows rows, pitch
// elements apart. Eight rows at a time are combined pairwise before the result is combined with dst.
func Columns[T scalar.Float](op Op, dst, a *T, rows, n, pitch int) {
	for most := max(8, atOnce/n&^7); rows > most; rows -= most {
		columnsPiece(op, dst, a, most, n, pitch)
		a = ahead(a, most*pitch)
	}
	columnsPiece(op, dst, a, rows, n, pitch)
}
