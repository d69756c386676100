package image_test

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/image"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

func ExampleBoxNMS() {
	boxes := nd.FromRows([][]float64{ // class, score, corners
		{0, 0.5, 0.1, 0.1, 0.2, 0.2},
		{1, 0.4, 0.1, 0.1, 0.2, 0.2},
		{0, 0.3, 0.1, 0.1, 0.14, 0.14},
		{2, 0.6, 0.5, 0.5, 0.7, 0.8},
	})
	fmt.Println(image.BoxNMS(boxes, image.BoxNMSOptions{Overlap: new(0.1)}))
	fmt.Println(image.BoxNMS(boxes, image.BoxNMSOptions{Overlap: new(0.1), Class: new(0)}))
	// Output:
	// [[ 2.   0.6  0.5  0.5  0.7  0.8]
	//  [ 0.   0.5  0.1  0.1  0.2  0.2]
	//  [-1.  -1.  -1.  -1.  -1.  -1. ]
	//  [-1.  -1.  -1.  -1.  -1.  -1. ]]
	// [[ 2.   0.6  0.5  0.5  0.7  0.8]
	//  [ 0.   0.5  0.1  0.1  0.2  0.2]
	//  [ 1.   0.4  0.1  0.1  0.2  0.2]
	//  [-1.  -1.  -1.  -1.  -1.  -1. ]]
}

func TestBoxNMS(t *testing.T) {
	x := nd.FromSlice([]float64{
		3, 0.2, 0, 0, 4, 4, 9,
		3, 0.8, 1, 1, 4, 4, 8,
		-1, 0.9, 5, 5, 6, 6, 7,
		3, 0.8, 10, -2, 11, 0, 6,
	}, 4, 7)
	o := image.BoxNMSOptions{Class: new(0), Background: new(-1.0), OutCenter: true}
	opstest.Repr(t, image.BoxNMS(x, o).Index(nd.All(), nd.From(1)), "array([[ 0.8, 2.5, 2.5, 3. , 3. , 8. ], [ 0.8, 10.5, -1. , 1. , 2. , 6. ], "+
		"[-1. , -1. , -1. , -1. , -1. , -1. ], [-1. , -1. , -1. , -1. , -1. , -1. ]])")
	_, g := opstest.ValueAndGrad(func(x *nd.Array) *nd.Array {
		return ops.Multiply(image.BoxNMS(x, o), nd.Arange(0, 28, 1).Reshape(4, 7))
	}, x)
	opstest.Repr(t, g.Index(nd.All(), nd.Until(3)), "array([[0., 0., 0.], [0., 1., 2.], [0., 0., 0.], [7., 8., 9.]])")
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return ops.Square(image.BoxNMS(xs[0])) }, x.Index(nd.Until(3)))
	opstest.Repr(t, image.BoxNMS(x, image.BoxNMSOptions{TopK: new(1)}).Index(nd.All(), nd.At(1)), "array([ 0.9, -1. , -1. , -1. ])")
	opstest.Refuses(t, "out of range for rows of length 7", func() { image.BoxNMS(x, image.BoxNMSOptions{Coordinates: new(4)}) })
}

func TestBipartiteMatchingTopK(t *testing.T) {
	scores := nd.FromSlice([]float64{0.5, 0.6, 0.1, 0.2, 0.3, 0.4}, 3, 2)
	rows, columns := image.BipartiteMatching(scores, 0, image.MatchingOptions{TopK: 1})
	opstest.Repr(t, rows, "array([ 1, -1, -1])")
	opstest.Repr(t, columns, "array([-1, 0])")
	rows, columns = image.BipartiteMatching(scores, 0)
	opstest.Repr(t, rows, "array([ 1, -1, 0])")
	opstest.Repr(t, columns, "array([2, 0])")
}

func TestBoxIoU(t *testing.T) {
	a := nd.FromSlice([]float64{0, 0, 2, 2, 1, 1, 1, 1, 3, 0, 2, 5}, 3, 4)
	b := nd.FromSlice([]float64{1, 1, 3, 3, 0, 0, 1, 2}, 2, 4)
	opstest.Close(t, image.BoxIoU(a, b), nd.FromSlice([]float64{1. / 7, 0.5, 0, 0, 0, 0}, 3, 2), 1e-15)
	opstest.Repr(t, image.BoxIoU(a, a).Index(nd.At(1)), "array([0., 0., 0.])")
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array { return image.BoxIoU(xs[0], xs[1]) },
		nd.FromSlice([]float64{0, 0, 2, 2, -1, 0.5, 1.5, 3}, 2, 4), nd.FromSlice([]float64{1, 1, 3, 3.5, 0.2, -1, 1.2, 2.2}, 1, 2, 4))
	if y := image.BoxIoU(nd.Zeros([]int{5, 1, 0, 4}, dtype.Int32), nd.Zeros([]int{2, 3, 4})); fmt.Sprint(y.Shape()) != "[5 2 0 3]" {
		t.Errorf("shape %v", y.Shape())
	}
	opstest.Refuses(t, "want boxes", func() { image.BoxIoU(a, b.T()) })
}
