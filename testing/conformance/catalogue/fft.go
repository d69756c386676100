package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
)

// fftRows is the chapter of discrete Fourier transforms.
var fftRows = []Row{
	{Signature: "numpy.fft.fft(a, n=None, axis=-1, norm=None, out=None)", Func: fft.FFT},
	{Signature: "numpy.fft.ifft(a, n=None, axis=-1, norm=None, out=None)", Func: fft.IFFT},
	{Signature: "numpy.fft.rfft(a, n=None, axis=-1, norm=None, out=None)", Func: fft.RFFT},
	{Signature: "numpy.fft.irfft(a, n=None, axis=-1, norm=None, out=None)", Func: fft.IRFFT},
	{Signature: "numpy.fft.hfft(a, n=None, axis=-1, norm=None, out=None)", Func: fft.HFFT},
	{Signature: "numpy.fft.ihfft(a, n=None, axis=-1, norm=None, out=None)", Func: fft.IHFFT},
	{Signature: "numpy.fft.fft2(a, s=None, axes=(-2, -1), norm=None, out=None)", Func: fft.FFT2},
	{Signature: "numpy.fft.ifft2(a, s=None, axes=(-2, -1), norm=None, out=None)", Func: fft.IFFT2},
	{Signature: "numpy.fft.rfft2(a, s=None, axes=(-2, -1), norm=None, out=None)", Func: fft.RFFT2},
	{Signature: "numpy.fft.irfft2(a, s=None, axes=(-2, -1), norm=None, out=None)", Func: fft.IRFFT2},
	{Signature: "numpy.fft.fftn(a, s=None, axes=None, norm=None, out=None)", Func: fft.FFTN},
	{Signature: "numpy.fft.ifftn(a, s=None, axes=None, norm=None, out=None)", Func: fft.IFFTN},
	{Signature: "numpy.fft.rfftn(a, s=None, axes=None, norm=None, out=None)", Func: fft.RFFTN},
	{Signature: "numpy.fft.irfftn(a, s=None, axes=None, norm=None, out=None)", Func: fft.IRFFTN},
	{Signature: "numpy.fft.fftfreq(n, d=1.0, device=None)", Func: fft.FFTFreq, NoGrad: true, Ignores: []string{"device"}},
	{Signature: "numpy.fft.rfftfreq(n, d=1.0, device=None)", Func: fft.RFFTFreq, NoGrad: true, Ignores: []string{"device"}},
	{Signature: "numpy.fft.fftshift(x, axes=None)", Func: fft.FFTShift},
	{Signature: "numpy.fft.ifftshift(x, axes=None)", Func: fft.IFFTShift},

	{Signature: "nnabla.functions.fft(x, signal_ndim, normalized=False)", Func: fft.FFTPairs},
	{Signature: "nnabla.functions.ifft(x, signal_ndim, normalized=False)", Func: fft.IFFTPairs},
	{Signature: "nnabla.functions.stft(x, window_size, stride, fft_size, window_type='hanning', center=True, pad_mode='reflect', as_istft_backward=False)",
		Func: nnablaSTFT, Note: "for as_istft_backward=True use Tape.VJP of ISTFT"},
	{Signature: "nnabla.functions.istft(y_r, y_i, window_size, stride, fft_size, window_type='hanning', center=True, pad_mode='reflect', as_stft_backward=False)",
		Func: nnablaISTFT, Note: "for as_stft_backward=True use Tape.VJP of STFT"},
}

// nnablaOptions converts NNabla's arguments to options of fft. In NNabla no window means a rectangular window.
func nnablaOptions(windowType *fft.Window, center bool, padMode ops.PadMode) fft.STFTOptions {
	o := fft.STFTOptions{WindowType: fft.WindowRectangular, Center: &center, PadMode: padMode}
	if windowType != nil {
		o.WindowType = *windowType
	}
	return o
}

func nnablaSTFT(x *nd.Array, windowSize, stride, fftSize int, windowType *fft.Window, center bool, padMode ops.PadMode, asISTFTBackward bool) (re, im *nd.Array) {
	o := nnablaOptions(windowType, center, padMode)
	if !asISTFTBackward {
		return fft.STFT(x, windowSize, stride, fftSize, o)
	}
	checkFrames("stft", x, stride, fftSize)
	length := x.Dim(1)
	if center {
		length += fftSize / 2 * 2
	}
	parts := []int{x.Dim(0), fftSize/2 + 1, (length-fftSize)/stride + 1}
	gs := gradientOperator(func(in []*nd.Array) []*nd.Array {
		return []*nd.Array{fft.ISTFT(in[0], in[1], windowSize, stride, fftSize, o)}
	}, []*nd.Array{x}, parts, parts)
	return gs[0], gs[1]
}

func nnablaISTFT(re, im *nd.Array, windowSize, stride, fftSize int, windowType *fft.Window, center bool, padMode ops.PadMode, asSTFTBackward bool) *nd.Array {
	o := nnablaOptions(windowType, center, padMode)
	if !asSTFTBackward {
		return fft.ISTFT(re, im, windowSize, stride, fftSize, o)
	}
	checkFrames("istft", re, stride, fftSize)
	length := (re.Dim(2)-1)*stride + fftSize
	if center {
		length -= fftSize / 2 * 2
	}
	return gradientOperator(func(in []*nd.Array) []*nd.Array {
		re, im := fft.STFT(in[0], windowSize, stride, fftSize, o)
		return []*nd.Array{re, im}
	}, []*nd.Array{re, im}, []int{re.Dim(0), length})[0]
}

// checkFrames refuses strides and sizes from which no length can be computed.
func checkFrames(fn nd.Func, x *nd.Array, stride, fftSize int) {
	if stride < 1 || fftSize < 1 {
		panic(fn.Errorf([]*nd.Array{x}, "stride %d, frames of %d samples: want positive ones", stride, fftSize))
	}
}

// gradientOperator applies the transpose of a linear function of arrays with the given shapes. NNabla calls it the
// gradient operator.
func gradientOperator(f func(in []*nd.Array) []*nd.Array, gys []*nd.Array, shapes ...[]int) []*nd.Array {
	tape := grad.NewTape()
	if n, _ := gys[0].Node(); n != nil {
		tape = n.Tape.(*grad.Tape)
	}
	in := make([]*nd.Array, len(shapes))
	for i, shape := range shapes {
		in[i] = tape.Watch(nd.Zeros(shape, nd.ArrayOptions{DType: gys[0].DType(), Device: gys[0].Device()}))
	}
	return tape.VJPRecorded(f(in), gys, in...)
}
