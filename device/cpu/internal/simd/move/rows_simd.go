//go:build (amd64 || arm64) && !purego

package move

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// takeRows is TakeRows for rows that are long enough for the routines. It reports whether they are.
func takeRows(dst, array unsafe.Pointer, offsets []int, size, bytes int, stream bool) bool {
	if bytes < line || isa.Current() == isa.Generic {
		return false
	}
	stream = stream && uintptr(dst)%line == 0 && bytes%line == 0
	n := len(offsets) - Ahead
	for from, step := 0, max(1, piece/bytes); from < n; from += step {
		takeRowsPiece(min(step, n-from), (*byte)(unsafe.Add(dst, from*bytes)), (*byte)(array), &offsets[from], size, bytes, stream)
	}
	return true
}

//go:noinline
func takeRowsPiece(n int, dst, array *byte, offsets *int, size, bytes int, stream bool) {
	switch wide := isa.Current() == isa.AVX512; {
	case wide && stream:
		takeRowsStreamAVX512(n, dst, array, offsets, size, bytes)
	case wide:
		takeRowsAVX512(n, dst, array, offsets, size, bytes)
	case stream:
		takeRowsStreamAVX2(n, dst, array, offsets, size, bytes)
	default:
		takeRowsAVX2(n, dst, array, offsets, size, bytes)
	}
}

// addRows adds rows of floats, and reports whether there is a routine.
//
//go:noinline
func addRows(array, src unsafe.Pointer, offsets []int, size, length int) bool {
	n := len(offsets) - Ahead
	switch level := isa.Current(); {
	case level == isa.AVX512 && size == 4:
		addRowsAVX512F32(n, (*float32)(array), (*float32)(src), &offsets[0], length)
	case level == isa.AVX512:
		addRowsAVX512F64(n, (*float64)(array), (*float64)(src), &offsets[0], length)
	case level == isa.AVX2 && size == 4:
		addRowsAVX2F32(n, (*float32)(array), (*float32)(src), &offsets[0], length)
	case level == isa.AVX2:
		addRowsAVX2F64(n, (*float64)(array), (*float64)(src), &offsets[0], length)
	default:
		return false
	}
	return true
}

// inRange checks the indices of whole groups, and returns their number. ok is false if an index is out of range.
func inRange(indices []int64, lowest, highest int64) (compared int, ok bool) {
	const unit = 32
	if isa.Current() == isa.Generic {
		return 0, true
	}
	for whole := len(indices) - len(indices)%unit; compared < whole; {
		part := min(indicesPiece, whole-compared)
		if !inRangePiece(part, &indices[compared], lowest, highest) {
			return compared, false
		}
		compared += part
	}
	return compared, true
}

//go:noinline
func inRangePiece(n int, indices *int64, lowest, highest int64) bool {
	if isa.Current() == isa.AVX512 {
		return inRangeAVX512(n, indices, &lowest, &highest) == 0
	}
	return inRangeAVX2(n, indices, &lowest, &highest) == 0
}

// take copies elements of 4 or 8 bytes for the indices of whole groups, and returns the number of elements.
func take(dst unsafe.Pointer, p Selection, size int) int {
	if isa.Current() == isa.Generic || size != 4 && size != 8 {
		return 0
	}
	done := 0
	for whole := len(p.Indices) - len(p.Indices)%16; done < whole; {
		part := min(indicesPiece, whole-done)
		takePiece(part, (*byte)(unsafe.Add(dst, done*size)), (*byte)(p.Array), &p.Indices[done], int64(p.Size), size)
		done += part
	}
	return done
}

//go:noinline
func takePiece(n int, dst, array *byte, indices *int64, length int64, size int) {
	switch gathers := isa.Gathers(); {
	case gathers && size == 4:
		takeAVX512U32(n, dst, array, indices, &length)
	case gathers:
		takeAVX512U64(n, dst, array, indices, &length)
	case size == 4:
		takeU32(n, dst, array, indices, &length)
	default:
		takeU64(n, dst, array, indices, &length)
	}
}

// add adds the leading elements of src to those that the indices of whole groups refer to, in order, and returns the number
// of elements.
func add(p Selection, src unsafe.Pointer, size int) int {
	if isa.Current() == isa.Generic {
		return 0
	}
	done := 0
	for whole := len(p.Indices) &^ 7; done < whole; {
		part := min(indicesPiece, whole-done)
		addPiece(part, (*byte)(p.Array), (*byte)(unsafe.Add(src, done*size)), &p.Indices[done], int64(p.Size), size)
		done += part
	}
	return done
}

//go:noinline
func addPiece(n int, array, src *byte, indices *int64, length int64, size int) {
	if size == 4 {
		addAtF32(n, array, src, indices, &length)
	} else {
		addAtF64(n, array, src, indices, &length)
	}
}
