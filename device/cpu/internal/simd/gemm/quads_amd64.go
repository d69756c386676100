//go:build !purego

package gemm

// quadForm is the size of the tiles of quads.
var quadForm = form{rows: 12, lanes: 16}

// runQuads is runIntegers for quads.
func runQuads(args *uintptr, vectors int, masked, panels bool) {
	switch {
	case vectors == 2 && !masked && panels:
		tile2PanelsVNNIQuads(args)
	case vectors == 2 && !masked:
		tile2VNNIQuads(args)
	case vectors == 2:
		tile2MaskedVNNIQuads(args)
	default:
		tile1MaskedVNNIQuads(args)
	}
}

// quadLines is integerLines for quads.
func quadLines(rows, steps int, a *uint32, aLine int, b *uint32, bLine int, mask uintptr, sums *uint32) int {
	switch {
	case rows >= 4:
		lines4VNNIQuads(steps, a, aLine, b, bLine, mask, sums)
		return 4
	case rows >= 2:
		lines2VNNIQuads(steps, a, aLine, b, bLine, mask, sums)
		return 2
	}
	lines1VNNIQuads(steps, a, aLine, b, bLine, mask, sums)
	return 1
}
