//go:build !purego

package gemm

import "unsafe"

// Sizes of a tile of the processor: rows and columns of sums, and groups along k.
const (
	tileSize  = 16
	tileBytes = 4 * tileSize
)

// tileConfig says which parts of the processor's tiles are used: the bytes of a row, and the rows.
type tileConfig struct {
	palette uint8
	_       [15]uint8
	bytes   [16]uint16
	rows    [16]uint8
}

// set sets the size of a tile.
func (c *tileConfig) set(tile, rows, columns int) {
	c.rows[tile], c.bytes[tile] = uint8(rows), uint16(4*columns)
}

// runMatrixTiles multiplies a strip of n columns. The groups that fill no tile along k are a strip of their own.
func runMatrixTiles(s *strip, n int) {
	part, whole := *s, s.k/tileSize
	if part.k = whole; whole > 0 {
		part.multiplyTiles(n, tileSize)
		part.d, part.dLine = s.c, s.cLine
	}
	if rest := s.k % tileSize; rest > 0 {
		part.k, part.a, part.b = 1, unsafe.Add(s.a, whole*tileBytes), unsafe.Add(s.b, whole*tileSize*s.bDepth)
		part.multiplyTiles(n, rest)
	}
}

// multiplyTiles runs the routine for tiles of n columns, with the given number of groups along k.
func (s *strip) multiplyTiles(n, groups int) {
	config := tileConfig{palette: 1}
	for i := range 2 {
		rows, columns := min(s.rows-i*tileSize, tileSize), min(n-i*tileSize, tileSize)
		if rows > 0 {
			config.set(4+i, rows, groups)
		}
		if columns > 0 {
			config.set(6+i, groups, columns)
		}
		for j := range 2 {
			if columns := min(n-j*tileSize, tileSize); rows > 0 && columns > 0 {
				config.set(2*i+j, rows, columns)
			}
		}
	}
	s.mask = uintptr(n)
	args, sizes := (*uintptr)(unsafe.Pointer(s)), &config.palette
	switch s.signs {
	case SignedA | SignedB:
		tilesAMXSS(args, sizes)
	case SignedA:
		tilesAMXSU(args, sizes)
	case SignedB:
		tilesAMXUS(args, sizes)
	default:
		tilesAMXUU(args, sizes)
	}
}
