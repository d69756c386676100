// Package image holds functions that take pixels between pixels, and functions of regions of images.
//
//	x := nd.FromSlice([]float64{1, 2, 3, 4}, 1, 1, 2, 2)
//	y := image.Interpolate(x, []int{4, 4}, image.InterpolateOptions{HalfPixel: true})
//	fmt.Println(y.Shape())
//
// Images are (batch, channels, height, width):
//
//   - at other locations: [Interpolate] to another size, [WarpByGrid] and [AffineGrid], [WarpByFlow], and [Sample], of which
//     these are made;
//   - of regions: [ROIAlign] and [ROIPooling];
//   - of boxes: [BoxIoU], [BoxNMS], [BipartiteMatching].
//
// Gradients are of any order. Packages nd/ndimage and nd/ops/random convert images and change them at random.
package image
