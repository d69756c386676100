package pooling

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Each plane of the input (one channel of one example) is loaded into a contiguous buffer, in the type in which it is
// computed. So the loops over windows support only one layout. Planes are shared among workers, and the windows of a
// plane are processed in order: results do not depend on the workers.

// eachPlane calls body for ranges of planes, with buffers for the input and for windows; the size of an element is
// given in bytes.
func (p *plan) eachPlane(width int, body func(plane int, input, windows unsafe.Pointer)) {
	l := p.launch
	n, m := p.input.points(), p.result.points()
	cost := 2*float64(n) + float64(m)*(5+1.5*float64(p.kernel[0]*p.kernel[1]*p.kernel[2]))
	workers.ForRanges(l.Shape[0]*l.Shape[1], cost, func(from, to int) {
		buffer := memory.TakeScratch(width*(n+m+1) + 8*m) // one more: the last part may be empty, but its start lies within the buffer
		for plane := from; plane < to; plane++ {
			body(plane, buffer.At(8*m), buffer.At(8*m+width*n))
		}
		buffer.Recycle()
	})
}

// eachRow calls body for the rows of a plane: row is the first element, at is its number in the contiguous buffer.
func (p *plan) eachRow(g *grid, plane int, body func(row unsafe.Pointer, at int)) {
	if g.points() == 0 {
		return
	}
	l := p.launch
	op := &l.Operands[g.operand]
	base := unsafe.Add(strided.First(op), (plane/l.Shape[1]*op.Strides[0]+plane%l.Shape[1]*op.Strides[1])*op.DType.Size())
	for i := range g.size[0] {
		for k := range g.size[1] {
			body(unsafe.Add(base, (i*g.strides[0]+k*g.strides[1])*op.DType.Size()), (i*g.size[1]+k)*g.size[2])
		}
	}
}

// load loads a plane into a buffer of type t.
func (p *plan) load(g *grid, plane int, buffer unsafe.Pointer, t dtype.DType) {
	from := p.launch.Operands[g.operand].DType
	p.eachRow(g, plane, func(row unsafe.Pointer, at int) {
		dtype.Convert(t, unsafe.Add(buffer, at*t.Size()), 1, from, row, g.strides[2], g.size[2])
	})
}

// store stores a buffer of type t in a plane.
func (p *plan) store(g *grid, plane int, buffer unsafe.Pointer, t dtype.DType) {
	to := p.launch.Operands[g.operand].DType
	p.eachRow(g, plane, func(row unsafe.Pointer, at int) {
		dtype.Convert(to, row, g.strides[2], t, unsafe.Add(buffer, at*t.Size()), 1, g.size[2])
	})
}

// windows iterates over a plane's windows in order: visit gets a window's number and its parts.
func (p *plan) windows() func(visit func(o int, s *[3]clip)) {
	axes := [3][]clip{p.clips(0), p.clips(1), p.clips(2)}
	return func(visit func(o int, s *[3]clip)) {
		o, s := 0, new([3]clip)
		for _, s[0] = range axes[0] {
			for _, s[1] = range axes[1] {
				for _, s[2] = range axes[2] {
					visit(o, s)
					o++
				}
			}
		}
	}
}

// clippedRows calls body for the parts of a window along the last axis: n points, starting at an index of the input and
// at an index in the window.
func (p *plan) clippedRows(s *[3]clip, body func(index, position, n int)) {
	d, size := &p.window.Dilation, &p.input.size
	for i := s[0].from; i < s[0].to; i++ {
		at := (s[0].start + (i-s[0].from)*d[0]) * size[1]
		for k := s[1].from; k < s[1].to; k++ {
			row := (at + s[1].start + (k-s[1].from)*d[1]) * size[2]
			body(row+s[2].start, (i*p.kernel[1]+k)*p.kernel[2]+s[2].from, s[2].to-s[2].from)
		}
	}
}

func sumPlanes[T int64 | float64 | complex128](p *plan, t dtype.DType) {
	y := p.windowGrid(0)
	windows, step := p.windows(), p.window.Dilation[2]
	p.eachPlane(t.Size(), func(plane int, input, result unsafe.Pointer) {
		p.load(&p.input, plane, input, t)
		x, sums := memory.Slice[T](input, p.input.points()), memory.Slice[T](result, p.result.points())
		windows(func(o int, s *[3]clip) {
			var sum T
			p.clippedRows(s, func(index, _, n int) {
				for range n {
					sum += x[index]
					index += step
				}
			})
			sums[o] = sum
		})
		p.store(&y, plane, result, t)
	})
}

func maxPlanes[T int64 | uint64 | float32 | float64](p *plan, t dtype.DType, least T) {
	y, positions := p.windowGrid(0), p.windowGrid(1)
	located := !p.launch.Operands[1].Memory.IsNil()
	windows, step := p.windows(), p.window.Dilation[2]
	p.eachPlane(8, func(plane int, input, result unsafe.Pointer) {
		p.load(&p.input, plane, input, t)
		x, largest := memory.Slice[T](input, p.input.points()), memory.Slice[T](result, p.result.points())
		at := memory.Slice[int64](unsafe.Add(input, -8*p.result.points()), p.result.points())
		windows(func(o int, s *[3]clip) {
			best, found, any := least, 0, false
			p.clippedRows(s, func(index, position, n int) {
				for range n {
					if v := x[index]; !any || v > best || v != v && best == best {
						best, found, any = v, position, true
					}
					index += step
					position++
				}
			})
			largest[o], at[o] = best, int64(found)
		})
		p.store(&y, plane, result, t)
		if located {
			p.store(&positions, plane, unsafe.Pointer(unsafe.SliceData(at)), dtype.Int64)
		}
	})
}

func gradPlanes[T int64 | float64 | complex128](p *plan, t dtype.DType) {
	gy := p.windowGrid(1)
	if p.launch.N == 3 {
		scatterPlanes[T](p, &gy, t)
		return
	}
	windows, step := p.windows(), p.window.Dilation[2]
	p.eachPlane(t.Size(), func(plane int, input, result unsafe.Pointer) {
		p.load(&gy, plane, result, t)
		gx, g := memory.Slice[T](input, p.input.points()), memory.Slice[T](result, p.result.points())
		clear(gx)
		windows(func(o int, s *[3]clip) {
			p.clippedRows(s, func(index, _, n int) {
				for range n {
					gx[index] += g[o]
					index += step
				}
			})
		})
		p.store(&p.input, plane, input, t)
	})
}

// scatterPlanes adds each gradient to one element.
func scatterPlanes[T int64 | float64 | complex128](p *plan, gy *grid, t dtype.DType) {
	positions := p.windowGrid(2)
	p.eachPlane(t.Size(), func(plane int, input, result unsafe.Pointer) {
		p.load(gy, plane, result, t)
		at := unsafe.Add(input, -8*p.result.points())
		p.load(&positions, plane, at, dtype.Int64)
		gx, g := memory.Slice[T](input, p.input.points()), memory.Slice[T](result, p.result.points())
		clear(gx)
		for o, position := range memory.Slice[int64](at, p.result.points()) {
			if index, inside := p.indexOf(o, position); inside {
				gx[index] += g[o]
			}
		}
		p.store(&p.input, plane, input, t)
	})
}

// indexOf returns the index in the input of a point of a window, and whether it exists.
func (p *plan) indexOf(o int, position int64) (index int, inside bool) {
	if position < 0 || position >= int64(p.kernel[0]*p.kernel[1]*p.kernel[2]) {
		return 0, false
	}
	k, step := int(position), 1
	for axis := 2; axis >= 0; axis-- {
		w := &p.window
		i := o%p.result.size[axis]*w.Stride[axis] + k%p.kernel[axis]*w.Dilation[axis] - w.Before[axis]
		if i < 0 || i >= p.input.size[axis] {
			return 0, false
		}
		index += i * step
		step *= p.input.size[axis]
		o, k = o/p.result.size[axis], k/p.kernel[axis]
	}
	return index, true
}
