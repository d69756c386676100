package conv_test

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
)

func Example() {
	x := nd.Arange(0, 16, 1).Reshape(1, 1, 4, 4)
	y := conv.Convolution(x, nd.Ones([]int{1, 1, 3, 3}), nil, conv.ConvolutionOptions{Pad: []int{1}})
	fmt.Println(conv.MaxPooling(y, []int{2, 2}))
	// Output:
	// [[[[45. 54.]
	//    [81. 90.]]]]
}
