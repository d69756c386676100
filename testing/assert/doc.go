// Package assert compares arrays in tests: of the library, and of a user's own.
//
//	func TestHalve(t *testing.T) {
//		for dt := range assert.FloatDTypes() {
//			x := nd.FromSlice([]float64{2, 4, 6}).AsType(dt)
//			assert.AllClose(t, halve(x), nd.FromSlice([]float64{1, 2, 3}), 1e-3, 0)
//		}
//	}
//
// An assertion that does not hold reports an error that says how many elements differ, where the first of them stands, how
// far they are apart at most, and what the arrays' shapes and dtypes are. Arrays may lie on different devices. Their dtypes
// need not agree unless the function says so; their shapes must, but that an array without axes, or a Scalar, stands for
// as many equal elements as the other one has.
package assert
