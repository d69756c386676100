package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
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
	{Signature: "numpy.fft.fft2(a, s=None, axes=(-2, -1), norm=None, out=None)", Func: severalAxes(fft.FFT2)},
	{Signature: "numpy.fft.ifft2(a, s=None, axes=(-2, -1), norm=None, out=None)", Func: severalAxes(fft.IFFT2)},
	{Signature: "numpy.fft.rfft2(a, s=None, axes=(-2, -1), norm=None, out=None)", Func: severalAxes(fft.RFFT2)},
	{Signature: "numpy.fft.irfft2(a, s=None, axes=(-2, -1), norm=None, out=None)", Func: severalAxes(fft.IRFFT2)},
	{Signature: "numpy.fft.fftn(a, s=None, axes=None, norm=None, out=None)", Func: severalAxes(fft.FFTN)},
	{Signature: "numpy.fft.ifftn(a, s=None, axes=None, norm=None, out=None)", Func: severalAxes(fft.IFFTN)},
	{Signature: "numpy.fft.rfftn(a, s=None, axes=None, norm=None, out=None)", Func: severalAxes(fft.RFFTN)},
	{Signature: "numpy.fft.irfftn(a, s=None, axes=None, norm=None, out=None)", Func: severalAxes(fft.IRFFTN)},
	{Signature: "numpy.fft.fftfreq(n, d=1.0, device=None)", Func: fft.FFTFreq, NoGrad: true, Ignores: []string{"device"}},
	{Signature: "numpy.fft.rfftfreq(n, d=1.0, device=None)", Func: fft.RFFTFreq, NoGrad: true, Ignores: []string{"device"}},
	{Signature: "numpy.fft.fftshift(x, axes=None)", Func: fft.FFTShift},
	{Signature: "numpy.fft.ifftshift(x, axes=None)", Func: fft.IFFTShift},
	{Signature: "torch.fft.hfft2(input, s=None, dim=(-2, -1), norm=None)", Func: fft.HFFT2, Renames: dimIsAxes},
	{Signature: "torch.fft.hfftn(input, s=None, dim=None, norm=None)", Func: fft.HFFTN, Renames: dimIsAxes},
	{Signature: "torch.fft.ihfft2(input, s=None, dim=(-2, -1), norm=None)", Func: fft.IHFFT2, Renames: dimIsAxes},
	{Signature: "torch.fft.ihfftn(input, s=None, dim=None, norm=None)", Func: fft.IHFFTN, Renames: dimIsAxes},
	{Signature: "torch.stft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode='reflect', normalized=False, onesided=None, return_complex=None)",
		Func: func(x *nd.Array, size, stride int, window *nd.Array, center bool, padMode string, normalized bool, oneSided *bool) *nd.Array {
			return fft.ComplexSTFT(x, size, stride, fft.ComplexSTFTOptions{Window: window, Center: &center, PadMode: torchPadMode(padMode),
				Normalized: normalized, OneSided: oneSided})
		}, Ignores: []string{"win_length", "return_complex"}},
	{Signature: "torch.istft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None, length=None, return_complex=False)",
		Func: func(z *nd.Array, size, stride int, window *nd.Array, center, normalized bool, length int, isComplex bool) *nd.Array {
			return fft.ComplexISTFT(z, size, stride, fft.ComplexISTFTOptions{Window: window, Center: &center, Normalized: normalized, Length: length, Complex: isComplex})
		}, Ignores: []string{"win_length", "onesided"}},

	{Signature: "nnabla.functions.fft(x, signal_ndim, normalized=False)", Func: fft.FFTPairs},
	{Signature: "nnabla.functions.ifft(x, signal_ndim, normalized=False)", Func: fft.IFFTPairs},
	{Signature: "nnabla.functions.stft(x, window_size, stride, fft_size, window_type='hanning', center=True, pad_mode='reflect', as_istft_backward=False)",
		Func: func(x *nd.Array, windowSize, stride, fftSize int, windowType *fft.Window, center bool, padMode ops.PadMode, transposed bool) (re, im *nd.Array) {
			return fft.STFT(x, windowSize, stride, fftSize, stftOptions(windowType, center, padMode, transposed))
		}},
	{Signature: "nnabla.functions.istft(y_r, y_i, window_size, stride, fft_size, window_type='hanning', center=True, pad_mode='reflect', as_stft_backward=False)",
		Func: func(re, im *nd.Array, windowSize, stride, fftSize int, windowType *fft.Window, center bool, padMode ops.PadMode, transposed bool) *nd.Array {
			return fft.ISTFT(re, im, windowSize, stride, fftSize, stftOptions(windowType, center, padMode, transposed))
		}},
}

// severalAxes converts lengths: None is the default, which a 0 is here.
func severalAxes(f func(x *nd.Array, opts ...fft.AxesOption) *nd.Array) any {
	return func(x *nd.Array, s []any, axes []int, norm fft.Norm, out *nd.Array) *nd.Array {
		o := fft.AxesOptions{Axes: axes, Norm: norm, Out: out}
		if s != nil {
			o.S = converted(s, func(n any) int {
				if n == nil {
					return 0
				}
				if integer(n) == 0 {
					panic(nd.Func("fft").Errorf([]*nd.Array{x}, "length 0: want at least 1"))
				}
				return integer(n)
			})
		}
		return f(x, o)
	}
}

// stftOptions converts NNabla's arguments. In NNabla no window means a rectangular window.
func stftOptions(windowType *fft.Window, center bool, padMode ops.PadMode, transposed bool) fft.STFTOptions {
	o := fft.STFTOptions{WindowType: fft.WindowRectangular, Center: &center, PadMode: padMode, Transposed: transposed}
	if windowType != nil {
		o.WindowType = *windowType
	}
	return o
}

// dimIsAxes is torch's name of the axes.
var dimIsAxes = map[string]string{"dim": "Axes"}

// torchPadMode converts the words of torch that are not NumPy's.
func torchPadMode(mode string) ops.PadMode {
	switch mode {
	case "replicate":
		return ops.PadEdge
	case "circular":
		return ops.PadWrap
	}
	return ops.PadMode(mode)
}
