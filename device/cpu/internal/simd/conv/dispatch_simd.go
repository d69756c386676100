//go:build (amd64 || arm64) && !purego

package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

type (
	lanesTile  = func(k int, x *byte, from, off *int, w, c *byte, to *int, add int, start *byte, ahead int, clamp *byte)
	rowsTile   = func(k int, x *byte, off *int, w, c *byte, stride, add int, start, clamp *byte)
	productsOf = func(rows, n int, a *byte, apart int, x *byte, step int, off *int, c *byte)
)

func make32(level isa.Level) *Kernels {
	switch level {
	case isa.AVX2:
		return &Kernels{
			Size: 4, Lanes: 8, Vectors: 3, Filters: 4, Rows: 4, positions: []int{4, 4, 4}, width: []int{6, 4, 3, 3},
			lanes:     []lanesTile{lanes1AVX2F32, lanes2AVX2F32, lanes3AVX2F32},
			rows:      []rowsTile{rows1AVX2F32, rows2AVX2F32, rows3AVX2F32, rows4AVX2F32},
			transpose: narrowTranspose[float32](8, transposeAVX2F32),
			copyRows:  copyRowsAVX2F32,
			tileIn:    tileInputAVX2F32,
			tileOut:   tileOutputAVX2F32,
			products:  []productsOf{products1AVX2F32, products2AVX2F32, products3AVX2F32, products4AVX2F32, products5AVX2F32, products6AVX2F32, products7AVX2F32, products8AVX2F32, products9AVX2F32},
			slides:    [8][3]slide{3: {slide1x3AVX2F32, slide2x3AVX2F32, slide4x3AVX2F32}, 5: {slide1x5AVX2F32, slide2x5AVX2F32, slide4x5AVX2F32}, 7: {slide1x7AVX2F32, slide2x7AVX2F32, slide4x7AVX2F32}},
		}
	case isa.AVX512:
		return &Kernels{
			Size: 4, Lanes: 16, Vectors: 4, Filters: 8, Rows: 7, positions: []int{8, 8, 8, 6}, width: []int{8, 6, 6, 6, 4, 4, 3, 3},
			lanes: []lanesTile{lanes1AVX512F32, lanes2AVX512F32, lanes3AVX512F32, lanes4AVX512F32},
			rows: []rowsTile{rows1AVX512F32, rows2AVX512F32, rows3AVX512F32, rows4AVX512F32,
				rows5AVX512F32, rows6AVX512F32, rows7AVX512F32, rows8AVX512F32},
			transpose: wideTranspose(4, transposeAVX512F32, transposeEdgeAVX512F32),
			copyRows:  copyRowsAVX512F32,
			tileIn:    tileInputAVX512F32,
			tileOut:   tileOutputAVX512F32,
			products:  []productsOf{products1AVX512F32, products2AVX512F32, products3AVX512F32, products4AVX512F32, products5AVX512F32, products6AVX512F32, products7AVX512F32, products8AVX512F32, products9AVX512F32},
			slides:    [8][3]slide{3: {slide1x3AVX512F32, slide2x3AVX512F32, slide7x3AVX512F32}, 5: {slide1x5AVX512F32, slide2x5AVX512F32, slide7x5AVX512F32}, 7: {slide1x7AVX512F32, slide2x7AVX512F32, slide7x7AVX512F32}},
		}
	}
	return plain[float32]()
}

func make64(level isa.Level) *Kernels {
	switch level {
	case isa.AVX2:
		return &Kernels{
			Size: 8, Lanes: 4, Vectors: 3, Filters: 4, Rows: 4, positions: []int{4, 4, 4}, width: []int{6, 4, 3, 3},
			lanes:     []lanesTile{lanes1AVX2F64, lanes2AVX2F64, lanes3AVX2F64},
			rows:      []rowsTile{rows1AVX2F64, rows2AVX2F64, rows3AVX2F64, rows4AVX2F64},
			transpose: narrowTranspose[float64](4, transposeAVX2F64),
			copyRows:  copyRowsAVX2F64,
			tileIn:    tileInputAVX2F64,
			tileOut:   tileOutputAVX2F64,
			products:  []productsOf{products1AVX2F64, products2AVX2F64, products3AVX2F64, products4AVX2F64, products5AVX2F64, products6AVX2F64, products7AVX2F64, products8AVX2F64, products9AVX2F64},
			slides:    [8][3]slide{3: {slide1x3AVX2F64, slide2x3AVX2F64, slide4x3AVX2F64}, 5: {slide1x5AVX2F64, slide2x5AVX2F64, slide4x5AVX2F64}, 7: {slide1x7AVX2F64, slide2x7AVX2F64, slide4x7AVX2F64}},
		}
	case isa.AVX512:
		return &Kernels{
			Size: 8, Lanes: 8, Vectors: 4, Filters: 8, Rows: 7, positions: []int{8, 8, 8, 6}, width: []int{8, 6, 6, 6, 4, 4, 3, 3},
			lanes: []lanesTile{lanes1AVX512F64, lanes2AVX512F64, lanes3AVX512F64, lanes4AVX512F64},
			rows: []rowsTile{rows1AVX512F64, rows2AVX512F64, rows3AVX512F64, rows4AVX512F64,
				rows5AVX512F64, rows6AVX512F64, rows7AVX512F64, rows8AVX512F64},
			transpose: wideTranspose(8, transposeAVX512F64, transposeEdgeAVX512F64),
			copyRows:  copyRowsAVX512F64,
			tileIn:    tileInputAVX512F64,
			tileOut:   tileOutputAVX512F64,
			products:  []productsOf{products1AVX512F64, products2AVX512F64, products3AVX512F64, products4AVX512F64, products5AVX512F64, products6AVX512F64, products7AVX512F64, products8AVX512F64, products9AVX512F64},
			slides:    [8][3]slide{3: {slide1x3AVX512F64, slide2x3AVX512F64, slide7x3AVX512F64}, 5: {slide1x5AVX512F64, slide2x5AVX512F64, slide7x5AVX512F64}, 7: {slide1x7AVX512F64, slide2x7AVX512F64, slide7x7AVX512F64}},
		}
	}
	return plain[float64]()
}

type transposition = func(rows, columns int, dst *byte, across int, src *byte, along int)

func advance(p *byte, bytes int) *byte { return (*byte)(unsafe.Add(unsafe.Pointer(p), bytes)) }

// narrowTranspose transposes whole blocks of lanes·lanes elements with a routine, and the rest at the edges in Go.
func narrowTranspose[T float](lanes int, blocks func(n int, dst *byte, across int, src *byte, along int)) transposition {
	var zero T
	size := int(unsafe.Sizeof(zero))
	return func(rows, columns int, dst *byte, across int, src *byte, along int) {
		whole := columns / lanes * lanes
		done := 0
		for ; rows-done >= lanes && whole > 0; done += lanes {
			to, from := advance(dst, done*size), advance(src, done*along*size)
			blocks(whole/lanes, to, across, from, along)
			if whole < columns {
				plainTranspose[T](lanes, columns-whole, advance(to, whole*across*size), across, advance(from, whole*size), along)
			}
		}
		if done < rows {
			plainTranspose[T](rows-done, columns, advance(dst, done*size), across, advance(src, done*along*size), along)
		}
	}
}

// wideTranspose transposes whole blocks with one routine, and the edges with another, under masks.
func wideTranspose(size int, blocks func(n int, dst *byte, across int, src *byte, along int), edge transposition) transposition {
	lanes := 64 / size
	return func(rows, columns int, dst *byte, across int, src *byte, along int) {
		for row := 0; row < rows; row += lanes {
			to, from, done := advance(dst, row*size), advance(src, row*along*size), 0
			if rows-row >= lanes && columns >= lanes {
				done = columns / lanes * lanes
				blocks(done/lanes, to, across, from, along)
			}
			for ; done < columns; done += lanes {
				edge(min(rows-row, lanes), min(lanes, columns-done), advance(to, done*across*size), across, advance(from, done*size), along)
			}
		}
	}
}
