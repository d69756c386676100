package onnx

import (
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
	"github.com/ndgrad/ndgrad/nn/model"
)

// signals are the operators about spectra.
func signals() map[string]operator {
	return map[string]operator{
		"DFT": dft, "STFT": stft, "MelWeightMatrix": melWeightMatrix,
		"BlackmanWindow": windowOf(0.42, -0.5, 0.08), "HannWindow": windowOf(0.5, -0.5), "HammingWindow": windowOf(25.0/46, -21.0/46),
	}
}

// windowOf is a sum of cosines of the multiples of the angle.
func windowOf(weights ...float64) operator {
	return func(n *node) run {
		periodic, to := n.int("periodic", 1) != 0, n.elementType("output_datatype", Float)
		return func(c *call) []model.Value {
			size := c.int(0)
			period := float64(size)
			if !periodic {
				period--
			}
			values := make([]float64, max(size, 0))
			for i := range values {
				for k, w := range weights {
					values[i] += w * math.Cos(2*math.Pi*float64(k*i)/max(period, 1))
				}
			}
			return one(nd.FromSlice(values).AsType(to.DType()))
		}
	}
}

// complexOf returns pairs of numbers along the last axis as complex numbers, or numbers alone as real ones.
func complexOf(c *call, x *nd.Array) *nd.Array {
	switch x.Dim(-1) {
	case 1:
		return x.Squeeze(-1)
	case 2:
		re, im := x.Index(nd.Ellipsis(), nd.At(0)), x.Index(nd.Ellipsis(), nd.At(1))
		return ops.Add(re, ops.Multiply(im, nd.Scalar(1i)))
	}
	c.refuse("the last axis has length %d: want 1 or 2", x.Dim(-1))
	return nil
}

// pairsOf returns the parts of complex numbers along a new last axis, in a dtype.
func pairsOf(z *nd.Array, t dtype.DType) *nd.Array {
	return ops.Stack([]*nd.Array{ops.Real(z).AsType(t), ops.Imag(z).AsType(t)}, ops.Over(-1))
}

// dft has its axis as an attribute before opset 20.
func dft(n *node) run {
	inverse, oneSided := n.flag("inverse"), n.flag("onesided")
	axis := -2
	if n.opset < 20 {
		axis = n.int("axis", 1)
	}
	return func(c *call) []model.Value {
		x, at := c.x(0), axis
		if n.opset >= 20 && c.given(2) {
			at = c.int(2)
		}
		if at < 0 {
			at += x.Rank()
		}
		if at < 0 || at >= x.Rank()-1 {
			c.refuse("axis %d", at)
		}
		t := x.DType()
		z := complexOf(c, x)
		o := fft.Options{Axis: ops.Over(at)}
		if c.given(1) {
			o.N = c.int(1)
		}
		switch {
		case oneSided && inverse:
			return one(fft.IRFFT(z, o).AsType(t).ExpandDims(-1))
		case oneSided:
			return one(pairsOf(fft.RFFT(z, o), t))
		case inverse:
			return one(pairsOf(fft.IFFT(z, o), t))
		}
		return one(pairsOf(fft.FFT(z, o), t))
	}
}

// stft transforms frames of a signal.
func stft(n *node) run {
	oneSided := n.int("onesided", 1) != 0
	return func(c *call) []model.Value {
		x := c.x(0)
		if x.Rank() != 3 {
			c.refuse("want a signal (B, T, 1) or (B, T, 2)")
		}
		t, step, size := x.DType(), c.int(1), x.Dim(1)
		if w := c.optional(2); w != nil {
			size = w.Size()
		}
		if c.given(3) {
			size = c.int(3)
		}
		if step < 1 || size < 1 || size > x.Dim(1) {
			c.refuse("frames of %d, %d apart, of a signal of length %d", size, step, x.Dim(1))
		}
		z := complexOf(c, x)
		frames := z.SlidingWindows([]int{size}, 1).Index(nd.All(), nd.All().By(step))
		if w := c.optional(2); w != nil {
			frames = ops.Multiply(frames, w)
		}
		if oneSided && !z.DType().IsComplex() {
			return one(pairsOf(fft.RFFT(frames), t))
		}
		return one(pairsOf(fft.FFT(frames), t))
	}
}

// melWeightMatrix has triangles of equal width on the mel scale, as ONNX's definition rounds them to bins.
func melWeightMatrix(n *node) run {
	to := n.elementType("output_datatype", Float)
	return func(c *call) []model.Value {
		bands, length, rate, low, high := c.int(0), c.int(1), c.int(2), c.float(3), c.float(4)
		if bands < 1 || length < 1 || rate < 1 {
			c.refuse("%d bands of a spectrum of %d at a rate of %d", bands, length, rate)
		}
		bins := length/2 + 1
		mel := func(f float64) float64 { return 2595 * math.Log10(1+f/700) }
		from, step := mel(low), (mel(high)-mel(low))/float64(bands+2)
		edges := make([]int, bands+2)
		for i := range edges {
			f := 700 * (math.Pow(10, (float64(i)*step+from)/2595) - 1)
			edges[i] = int(math.Floor(float64(length+1) * f / float64(rate)))
		}
		y := make([]float64, bins*bands)
		set := func(bin, band int, v float64) {
			if bin >= 0 && bin < bins {
				y[bin*bands+band] = v
			}
		}
		for i := range bands {
			left, middle, right := edges[i], edges[i+1], edges[i+2]
			if middle == left {
				set(middle, i, 1)
			} else {
				for j := left; j <= middle; j++ {
					set(j, i, float64(j-left)/float64(middle-left))
				}
			}
			for j := middle; right > middle && j < right; j++ {
				set(j, i, float64(right-j)/float64(right-middle))
			}
		}
		return one(nd.FromSlice(y, bins, bands).AsType(to.DType()))
	}
}
