package image_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/image"
)

func Example() {
	x := nd.FromSlice([]float64{1, 2, 3, 4}, 1, 1, 2, 2)
	y := image.Interpolate(x, []int{4, 4}, image.InterpolateOptions{HalfPixel: true})
	fmt.Println(y.Shape())
	// Output:
	// [1 1 4 4]
}
