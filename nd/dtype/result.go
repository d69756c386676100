package dtype

// Default returns the widest type of a kind, which NumPy gives to numbers without a type: Bool, Uint64, Int64, Float64
// or Complex128.
func Default(k Kind) DType {
	return [...]DType{Unspecified, Bool, Uint64, Int64, Float64, Complex128}[k]
}

// SumType returns the type of sums and products over an axis: Int64 for bool and signed integers, Uint64 for unsigned
// ones, and an inexact type itself.
func SumType(d DType) DType {
	switch {
	case d == Bool || d.IsSigned():
		return Int64
	case d.IsUnsigned():
		return Uint64
	}
	return d
}

// FloatType returns the result type of a function that only has inexact results, such as the sine: Float16 for bool and
// 8-bit integers, Float32 for 16-bit ones, Float64 for wider ones, and an inexact type itself.
func FloatType(d DType) DType {
	if d == Bool || d.IsInteger() {
		return floatFor(d)
	}
	return d
}

// MeanType returns the type of means and variances: Float64 for bool and integers, and an inexact type itself.
func MeanType(d DType) DType {
	if d == Bool || d.IsInteger() {
		return Float64
	}
	return d
}

// ComputeType returns the type in which functions compute with values of d: Float32 for the 16-bit floats, which are
// storage types only, and every other type itself.
func ComputeType(d DType) DType {
	if d == Float16 || d == BFloat16 {
		return Float32
	}
	return d
}
