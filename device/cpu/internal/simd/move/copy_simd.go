//go:build (amd64 || arm64) && !purego

package move

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// The size of a cache line, and the amount that the routines copy at a time, in bytes: a group of four lines, or of
// four pages.
const (
	line      = 64
	group     = 4 * line
	pageGroup = 4 * 4096
)

// copyStreaming copies whole groups from the start of n bytes past the caches, and returns the number of bytes copied.
func copyStreaming(dst, src unsafe.Pointer, n int) int {
	unit := group
	if n >= 2*pageGroup {
		unit = pageGroup
	}
	if n < 2*group || isa.Current() == isa.Generic {
		return 0
	}
	done := toLine(dst)
	copy(unsafe.Slice((*byte)(dst), done), unsafe.Slice((*byte)(src), done))
	for whole := n - (n-done)%unit; done < whole; {
		part := min(piece, whole-done)
		copyPiece((*byte)(unsafe.Add(dst, done)), (*byte)(unsafe.Add(src, done)), part, unit)
		done += part
	}
	return done
}

// toLine returns the distance from p to the next cache line.
func toLine(p unsafe.Pointer) int { return int(-uintptr(p) % line) }

//go:noinline
func copyPiece(dst, src *byte, n, unit int) {
	switch wide := isa.Current() == isa.AVX512; {
	case wide && unit == group:
		copyLinesAVX512(n, dst, src)
	case wide:
		copyPagesAVX512(n, dst, src)
	case unit == group:
		copyLinesAVX2(n, dst, src)
	default:
		copyPagesAVX2(n, dst, src)
	}
}

// fillVectors fills whole groups at the start of n bytes with a pattern, and returns the number of bytes filled.
func fillVectors(dst unsafe.Pointer, pattern *[16]byte, size, n int, stream bool) int {
	if n < 2*group || isa.Current() == isa.Generic {
		return 0
	}
	done := 0
	if head := toLine(dst); head%size == 0 {
		done = head
		plainFill(unsafe.Slice((*byte)(dst), done), pattern)
		if head%len(pattern) != 0 { // the next line begins within the pattern, but at an element boundary
			turned := *pattern
			for i := range turned {
				turned[i] = pattern[(i+head)%len(pattern)]
			}
			pattern = &turned
		}
	} else {
		stream = false
	}
	for whole := n - (n-done)%group; done < whole; {
		part := min(piece, whole-done)
		fillPiece((*byte)(unsafe.Add(dst, done)), &pattern[0], part, stream)
		done += part
	}
	return done
}

//go:noinline
func fillPiece(dst, pattern *byte, n int, stream bool) {
	switch wide := isa.Current() == isa.AVX512; {
	case wide && stream:
		fillStreamAVX512(n, dst, pattern)
	case wide:
		fillAVX512(n, dst, pattern)
	case stream:
		fillStreamAVX2(n, dst, pattern)
	default:
		fillAVX2(n, dst, pattern)
	}
}
