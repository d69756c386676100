package compliance

import (
	"fmt"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// pooling is the geometry of a launch of Pool or PoolGrad.
type pooling struct {
	window        device.Window
	outer, kernel []int // batch, channels and windows; shape of a window
}

func (p pooling) loop() []int { return append(append([]int(nil), p.outer...), p.kernel...) }

// input returns the shape of the array that the windows slide over.
func (p pooling) input() []int {
	return append(append([]int(nil), p.outer[:2]...), p.window.Size[:p.window.Rank]...)
}

func (p pooling) String() string {
	return fmt.Sprintf("window %+v, loop %v", p.window, p.loop())
}

// windows draws a geometry: strides below and above the kernel length, dilation, padding larger than a window, windows
// that begin outside, and axes of length 0.
func (s *suite) windows(rank int) pooling {
	p := pooling{outer: []int{s.length(s.IntN(4)), s.length(1 + s.IntN(3))}}
	p.window.Rank = rank
	for k := range 3 {
		p.window.Size[k], p.window.Stride[k], p.window.Dilation[k], p.window.Before[k] = -7, -7, -7, -7
	}
	for k := range rank {
		w := &p.window
		w.Size[k], w.Stride[k], w.Dilation[k], w.Before[k] = 1+s.IntN(9), 1+s.IntN(4), 1+s.IntN(5)/3*s.IntN(3), s.IntN(4)
		count := 1 + s.IntN(6)
		switch s.IntN(12) {
		case 0:
			w.Size[k] = 0
		case 1:
			count = 0
		}
		w.Size[k] = s.length(w.Size[k])
		p.outer, p.kernel = append(p.outer, s.length(count)), append(p.kernel, 1+s.IntN(4))
	}
	return p
}

// overInput returns an array with the input's shape as an operand of the loop.
func (s *suite) overInput(p pooling, dt dtype.DType, fill filling) *array {
	a := s.any(dt, p.input(), fill)
	loop := append([]int(nil), a.Strides[:2]...)
	for k := range p.window.Rank {
		loop = append(loop, a.Strides[2+k]*p.window.Stride[k])
	}
	for k := range p.window.Rank {
		loop = append(loop, a.Strides[2+k]*p.window.Dilation[k])
	}
	a.loop = loop
	return a
}

// overWindows returns an array with one element per window as an operand of the loop.
func (s *suite) overWindows(p pooling, dt dtype.DType, fill filling) *array {
	a := s.any(dt, p.outer, fill)
	a.loop = append(append([]int(nil), a.Strides...), make([]int, p.window.Rank)...)
	return a
}

func (s *suite) eachPooling(test func(dt dtype.DType, p pooling)) {
	for _, dt := range types {
		if dt.IsBool() {
			continue
		}
		for trial := range 12 {
			test(dt, s.windows(1+trial%3))
		}
	}
	for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64} {
		for rank := 1; rank <= 3; rank++ { // rows longer than vectors
			p := s.windows(rank)
			w := &p.window
			w.Stride[rank-1], w.Size[rank-1], w.Before[rank-1] = 1+s.IntN(3), 60+s.IntN(60), s.IntN(3)
			p.outer[1+rank] = (w.Size[rank-1] + 2) / w.Stride[rank-1]
			test(dt, p)
		}
		// large enough to be split among workers
		p := pooling{outer: []int{3, 16, 17, 19}, kernel: []int{3, 2}}
		p.window = device.Window{Rank: 2, Size: [3]int{33, 38}, Stride: [3]int{2, 2}, Dilation: [3]int{1, 1}, Before: [3]int{1, 0}}
		test(dt, p)
	}
}

// positions draws a dtype for positions.
func (s *suite) positions() dtype.DType {
	if s.IntN(2) == 0 {
		return dtype.Uint8
	}
	return dtype.Int64
}

func testPool(s *suite) { s.eachPooling(s.pool) }

func (s *suite) pool(dt dtype.DType, p pooling) {
	s.Helper()
	run := call{kernel: device.Device.Pool, loop: p.loop(), outputs: []*array{s.overWindows(p, dt, tame), nil},
		inputs: []*array{s.overInput(p, dt, tame)}, set: func(l *device.Launch) { l.Window, l.Combine = p.window, device.CombineSum }}
	run.close = s.combined(device.CombineSum, 64, run)
	s.check(run, "sums of %s, %v", dt, p)
	if dt.IsComplex() {
		return
	}
	for _, fill := range []filling{tame, wild} { // with ties and NaNs
		run := call{kernel: device.Device.Pool, loop: p.loop(), inputs: []*array{s.overInput(p, dt, fill)},
			outputs: []*array{s.overWindows(p, dt, tame), s.overWindows(p, s.positions(), tame)}, close: equal,
			set: func(l *device.Launch) { l.Window, l.Combine = p.window, device.CombineMax }}
		if s.IntN(4) == 0 {
			run.outputs[1] = nil
		}
		s.check(run, "largest of %s, %v", dt, p)
	}
}

func testPoolGrad(s *suite) { s.eachPooling(s.poolGrad) }

func (s *suite) poolGrad(dt dtype.DType, p pooling) {
	s.Helper()
	points := int64(1)
	for _, k := range p.kernel {
		points *= int64(k)
	}
	gy, positions := s.overWindows(p, dt, tame), s.overWindows(p, s.positions(), classes(int(points), -1))
	if at := positions.offsets(); len(at) > 0 && s.IntN(2) == 0 { // positions outside the window are ignored
		integerNumber(points+s.Int64N(3)).store(positions.dtype, positions.pointer(at[0]))
	}
	for _, inputs := range [][]*array{{gy}, {gy, positions}} {
		run := call{kernel: device.Device.PoolGrad, loop: p.loop(), inputs: inputs,
			outputs: []*array{s.overInput(p, dt, tame)}, set: func(l *device.Launch) { l.Window = p.window }}
		run.close = s.combined(device.CombineSum, 64, run)
		s.check(run, "gradients of %s, %d inputs, %v", dt, len(inputs), p)
	}
}
