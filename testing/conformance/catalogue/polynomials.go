package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/poly"
	"github.com/ndgrad/ndgrad/nd/ops/window"
)

// polynomialRows is the chapter of polynomials, windows, and methods of universal functions.
var polynomialRows = []Row{
	{Signature: "numpy.polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False)", Func: polyFit, Note: "FitCov if cov is true, FitFull if full is"},
	{Signature: "numpy.polyval(p, x)", Func: poly.Val},
	{Signature: "numpy.polyadd(a1, a2)", Func: poly.Add},
	{Signature: "numpy.polysub(a1, a2)", Func: poly.Sub},
	{Signature: "numpy.polymul(a1, a2)", Func: poly.Mul, Note: "keeps leading zeros"},
	{Signature: "numpy.polydiv(u, v)", Func: poly.Div},
	{Signature: "numpy.polyder(p, m=1)", Func: poly.Der},
	{Signature: "numpy.polyint(p, m=1, k=None)", Func: poly.Int},
	{Signature: "numpy.poly(seq_of_zeros)", Func: poly.FromRoots, Note: "takes roots, not a matrix"},
	{Signature: "numpy.roots(p)", Func: poly.Roots, Note: "always returns complex numbers, sorted"},

	{Signature: "numpy.bartlett(M)", Func: window.Bartlett, NoGrad: true},
	{Signature: "numpy.blackman(M)", Func: window.Blackman, NoGrad: true},
	{Signature: "numpy.hamming(M)", Func: window.Hamming, NoGrad: true},
	{Signature: "numpy.hanning(M)", Func: window.Hanning, NoGrad: true},
	{Signature: "numpy.kaiser(M, beta)", Func: window.Kaiser, NoGrad: true},
	{Signature: "torch.signal.windows.bartlett(M, *, sym=True, dtype=None)", Func: torchWindow(window.Bartlett), NoGrad: true},
	{Signature: "torch.signal.windows.blackman(M, *, sym=True, dtype=None)", Func: torchWindow(window.Blackman), NoGrad: true},
	{Signature: "torch.signal.windows.cosine(M, *, sym=True, dtype=None)", Func: torchWindow(window.Cosine), NoGrad: true},
	{Signature: "torch.signal.windows.hamming(M, *, sym=True, dtype=None)", Func: torchWindow(window.Hamming), NoGrad: true},
	{Signature: "torch.signal.windows.hann(M, *, sym=True, dtype=None)", Func: torchWindow(window.Hanning), NoGrad: true},
	{Signature: "torch.signal.windows.nuttall(M, *, sym=True, dtype=None)", Func: torchWindow(window.Nuttall), NoGrad: true},
	{Signature: "torch.signal.windows.kaiser(M, *, beta=12.0, sym=True, dtype=None)", Func: torchWindowOf(window.Kaiser), NoGrad: true},
	{Signature: "torch.signal.windows.gaussian(M, *, std=1.0, sym=True, dtype=None)", Func: torchWindowOf(window.Gaussian), NoGrad: true},
	{Signature: "torch.signal.windows.exponential(M, *, tau=1.0, sym=True, dtype=None)", Func: torchWindowOf(window.Exponential), NoGrad: true},
	{Signature: "torch.signal.windows.general_hamming(M, *, alpha=0.54, sym=True, dtype=None)", Func: torchWindowOf(window.GeneralHamming), NoGrad: true},
	{Signature: "torch.signal.windows.general_cosine(M, *, a, sym=True, dtype=None)", Func: torchWindowOf(window.GeneralCosine), NoGrad: true},

	{Signature: "numpy.ufunc.outer(ufunc, A, B, /)", Func: func(name string, a, b *nd.Array) *nd.Array {
		return ufuncNamed(name).Outer(a, b)
	}},
	{Signature: "numpy.ufunc.reduce(ufunc, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None)",
		Func: func(name string, x *nd.Array, axis []int, t dtype.DType, out *nd.Array, keepDims bool, initial, where *nd.Array) *nd.Array {
			o := along(name, x, axis, t, out)
			o.KeepDims, o.Initial, o.Where = keepDims, initial, where
			return ufuncNamed(name).Reduce(x, o)
		}},
	{Signature: "numpy.ufunc.accumulate(ufunc, array, axis=0, dtype=None, out=None)",
		Func: func(name string, x *nd.Array, axis []int, t dtype.DType, out *nd.Array) *nd.Array {
			return ufuncNamed(name).Accumulate(x, along(name, x, axis, t, out))
		}},
	{Signature: "numpy.ufunc.reduceat(ufunc, array, indices, axis=0, dtype=None, out=None)",
		Func: func(name string, x *nd.Array, at, axis []int, t dtype.DType, out *nd.Array) *nd.Array {
			return ufuncNamed(name).ReduceAt(x, at, along(name, x, axis, t, out))
		}},
}

func polyFit(x, y *nd.Array, deg int, rcond *float64, full bool, w *nd.Array, cov any) []*nd.Array {
	o := poly.FitOptions{W: w, RCond: rcond, Unscaled: cov == "unscaled"}
	if full {
		p, residuals, rank, s, bound := poly.FitFull(x, y, deg, o)
		return []*nd.Array{p, residuals, rank, s, nd.Full(nil, bound)}
	}
	if cov == false {
		return []*nd.Array{poly.Fit(x, y, deg, o)}
	}
	p, c := poly.FitCov(x, y, deg, o)
	return []*nd.Array{p, c}
}

// ufuncNamed returns the universal function of two operands that NumPy calls name.
func ufuncNamed(name string) ops.Ufunc {
	if f, ok := functionNamed(name).(ufunc); ok {
		return f
	}
	panic(nd.Func("ufunc").Errorf(nil, "unknown function %q of two operands", name))
}

// along asks for NumPy's default dtype of sums and products. No axis is every axis.
func along(name string, x *nd.Array, axis []int, t dtype.DType, out *nd.Array) ops.AlongOptions {
	o := ops.AlongOptions{Axis: axis, DType: t, Out: out}
	if axis == nil {
		o.Axis = broadcast.AllAxes(x.Rank())
	}
	if (name == "add" || name == "multiply") && !t.Valid() && out == nil {
		o.DType = dtype.SumType(x.DType())
	}
	return o
}

// torchWindow takes torch's arguments: a window that is not symmetric is periodic.
func torchWindow(f func(n int, opts ...nd.ArrayOption) *nd.Array) func(n int, symmetric bool, t dtype.DType) *nd.Array {
	return func(n int, symmetric bool, t dtype.DType) *nd.Array { return f(n, torchWindowOptions(symmetric, t)...) }
}

// torchWindowOf is torchWindow for windows with a parameter.
func torchWindowOf[P any](f func(n int, p P, opts ...nd.ArrayOption) *nd.Array) func(n int, p P, symmetric bool, t dtype.DType) *nd.Array {
	return func(n int, p P, symmetric bool, t dtype.DType) *nd.Array {
		return f(n, p, torchWindowOptions(symmetric, t)...)
	}
}

func torchWindowOptions(symmetric bool, t dtype.DType) []nd.ArrayOption {
	if symmetric {
		return []nd.ArrayOption{t}
	}
	return []nd.ArrayOption{t, window.Periodic}
}
