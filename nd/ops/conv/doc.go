// Package conv holds functions whose windows slide over arrays: convolutions, their transposes, and pooling.
//
//	x := nd.Arange(0, 16, 1).Reshape(1, 1, 4, 4)
//	y := conv.Convolution(x, nd.Ones([]int{1, 1, 3, 3}), nil, conv.ConvolutionOptions{Pad: []int{1}})
//	fmt.Println(conv.MaxPooling(y, []int{2, 2}))
//
// Arrays are (batch, channels, axes that windows slide over), unless an option says that the channels come last:
//
//   - convolutions: [Convolution], [Deconvolution], [DepthwiseConvolution], [DepthwiseDeconvolution],
//     [DeformableConvolution], [AdaptiveSeparableConvolution]; [Convolve1D] and [Correlate1D] of two vectors;
//   - pooling: [MaxPooling], [AveragePooling], [SumPooling], [LPPooling], [GlobalAveragePooling],
//     [SpatialPyramidPooling]; with a given size of the result [AdaptiveAveragePooling] and [AdaptiveMaxPooling]; the
//     reverse of pooling: [Unpooling] and [Upsampling];
//   - windows as arrays: [Im2Col], [Col2Im], and [PatchCorrelation] of the patches of two images;
//   - lengths of results, without arrays: [OutputSize] and [TransposedOutputSize].
//
// Gradients of every order are defined. Functions that interpolate between pixels are in package image.
package conv
