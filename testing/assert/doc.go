// Package assert compares arrays in tests, both of this library and of your own code.
//
//	func TestHalve(t *testing.T) {
//		for dt := range assert.FloatDTypes() {
//			x := nd.FromSlice([]float64{2, 4, 6}).AsType(dt)
//			assert.AllClose(t, halve(x), nd.FromSlice([]float64{1, 2, 3}), 1e-3, 0)
//		}
//	}
//
// A failing assertion reports how many elements differ, the first such element and its index, the largest differences,
// and the shapes and dtypes of the arrays. The arrays may be on different devices. Their dtypes may differ unless the
// function says otherwise. Their shapes must agree, except that a 0-d array or a Scalar broadcasts to the shape of the
// other array.
package assert
