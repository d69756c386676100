package cudaops

import "github.com/ndgrad/ndgrad/device"

// Convolve computes the output of a convolution, or one of the operands from the output and the other operand. It does
// so as products, one per group: A is x or y seen through the window, B is the other factor. Post is a launch of its own.
func (d *Device) Convolve(l *device.Launch) {
	d.enter(l)
	d.multiplyOwn(convolution(l))
	if l.Post != nil {
		l.ApplyPost(3+l.Window.Rank, d.Elementwise)
	}
}

// convolution returns a Convolve as a product.
func convolution(l *device.Launch) *product {
	r := l.Window.Rank
	p := &product{launch: l, batch: l.Shape[1:2], window: [3]windowAxis{noWindow, noWindow, noWindow}}
	const n, m = 0, 2
	c := 3 + r // the index of the axis in the loop
	result, first, second := &l.Operands[0], &l.Operands[1], &l.Operands[2]
	var bias *device.Operand
	if l.N > 3 {
		bias = &l.Operands[3]
	}
	switch l.Part {
	case device.PartOutput: // y(n, o; m) = Σ x(n, o; c, k)·w(c, k; m)
		p.outerI, p.columns, p.outerK = l.Shape[n], l.Shape[m], l.Shape[c]
		p.a, p.b, p.c = factorOf(l, first, n, m, c), factorOf(l, second, -1, m, c), factorOf(l, result, n, m, -1)
		p.d = factorOf(l, bias, -1, m, -1)
		for axis := range r {
			p.window[axis] = p.slide(axis, 3+axis, 4+r+axis, l.Window.Stride[axis], l.Window.Dilation[axis])
		}
	case device.PartInput: // x(n, at; c) = Σ y(n, at; m, k)·w(m, k; c)
		p.outerI, p.columns, p.outerK, p.omits = l.Shape[n], l.Shape[c], l.Shape[m], true
		p.a, p.b, p.c = factorOf(l, first, n, c, m), factorOf(l, second, -1, c, m), factorOf(l, result, n, c, -1)
		p.d = factorOf(l, bias, -1, c, -1)
		for axis := range r {
			p.window[axis] = p.inputGradientAxis(axis)
		}
	case device.PartWeight: // w(c, k; m) = Σ x(c, k; n, o)·y(n, o; m)
		p.outerI, p.columns, p.outerK = l.Shape[c], l.Shape[m], l.Shape[n]
		p.a, p.b, p.c = factorOf(l, second, c, m, n), factorOf(l, first, -1, m, n), factorOf(l, result, c, m, -1)
		for axis := range r {
			p.window[axis] = p.slide(axis, 4+r+axis, 3+axis, l.Window.Dilation[axis], l.Window.Stride[axis])
		}
	}
	return p
}

// factorOf returns an operand with its strides outside of the window: those along the loop's axes i, j and k; -1 stands
// for a missing axis.
func factorOf(l *device.Launch, o *device.Operand, i, j, k int) factor {
	f := factor{operand: o}
	if o == nil {
		return f
	}
	f.batch = o.Strides[1:2]
	if i >= 0 {
		f.i[0] = o.Strides[i]
	}
	if j >= 0 {
		f.j = o.Strides[j]
	}
	if k >= 0 {
		f.k[0] = o.Strides[k]
	}
	return f
}

// slide describes a window that slides over x. Its positions are those of y and its taps those of w, or vice versa.
// position and tap are axes of the loop; stepPosition and stepTap are the steps along x, in elements, for one step along
// these axes.
func (p *product) slide(axis, position, tap, stepPosition, stepTap int) windowAxis {
	w, x := &p.launch.Window, p.a.operand.Strides
	p.a.i[1+axis], p.a.k[1+axis] = x[position], x[tap]
	p.b.k[1+axis] = p.b.operand.Strides[tap]
	p.c.i[1+axis] = p.c.operand.Strides[position]
	before := w.Before[axis]
	return windowAxis{stepI: stepPosition, stepK: stepTap, limit: w.Size[axis], phases: []phase{{
		positions: p.launch.Shape[position], taps: p.launch.Shape[tap], start: -before, a: -before * (x[3+axis] / w.Stride[axis]),
	}}}
}

// inputGradientAxis describes the input gradient: each position of x finds the windows in y that contain it. Position at is tap
// k of window o if at + before = o·stride + k·dilation. With at + before = q·stride + rest, all positions with the same
// rest have the same taps: those for which k·dilation has this rest too, which are regularly spaced.
func (p *product) inputGradientAxis(axis int) windowAxis {
	w, position, tap := &p.launch.Window, 3+axis, 4+p.launch.Window.Rank+axis
	stride, dilation, before := w.Stride[axis], w.Dilation[axis], w.Before[axis]
	x, y, weight := p.c.operand.Strides[position]/stride, p.a.operand.Strides[position], p.b.operand.Strides[tap]
	common := commonDivisor(stride, dilation)
	every := stride / common
	p.a.i[1+axis], p.a.k[1+axis] = y, -dilation/common*y
	p.b.k[1+axis] = every * weight
	p.c.i[1+axis] = stride * x
	axisOfX := windowAxis{stepI: 1, stepK: -dilation / common, limit: p.launch.Shape[position]}
	for rest := range stride {
		q := max(0, (before-rest+stride-1)/stride) // of the first position
		at := q*stride + rest - before
		f := phase{positions: max(0, (w.Size[axis]-at+stride-1)/stride), start: q, c: at * x}
		for k := range min(every, p.launch.Shape[tap]) {
			if k*dilation%stride == rest {
				f.taps = (p.launch.Shape[tap] - k + every - 1) / every
				f.start = q - (k*dilation-rest)/stride
				f.b = k * weight
			}
		}
		f.a = f.start * y
		if f.positions > 0 {
			axisOfX.phases = append(axisOfX.phases, f)
		}
	}
	return axisOfX
}
