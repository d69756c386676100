//go:build !purego

package gemm

// quadForm is the size of the tiles of quads.
var quadForm = form{rows: 6, lanes: 8}

// runQuads is runIntegers for quads.
func runQuads(args *uintptr, vectors int, masked, panels bool) {
	switch {
	case vectors == 2 && !masked && panels:
		tile2PanelsSDOTQuads(args)
	case vectors == 2 && !masked:
		tile2SDOTQuads(args)
	case vectors == 2:
		tile2MaskedSDOTQuads(args)
	default:
		tile1MaskedSDOTQuads(args)
	}
}

// quadLines is integerLines for quads.
func quadLines(rows, steps int, a *uint32, aLine int, b *uint32, bLine int, mask uintptr, sums *uint32) int {
	switch {
	case rows >= 2:
		lines2SDOTQuads(steps, a, aLine, b, bLine, mask, sums)
		return 2
	}
	lines1SDOTQuads(steps, a, aLine, b, bLine, mask, sums)
	return 1
}
