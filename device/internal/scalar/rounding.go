package scalar

import (
	"math"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Floor returns the greatest integer not above x.
func Floor[T Float](x T) T { return T(math.Floor(float64(x))) }

// Ceil returns the smallest integer not below x.
func Ceil[T Float](x T) T { return T(math.Ceil(float64(x))) }

// Trunc returns x without its fraction.
func Trunc[T Float](x T) T { return T(math.Trunc(float64(x))) }

// Rint returns the nearest integer, ties to even.
func Rint[T Float](x T) T { return T(math.RoundToEven(float64(x))) }

// RoundHalfAway returns the nearest integer, ties away from zero.
func RoundHalfAway[T Float](x T) T { return T(math.Round(float64(x))) }

// RoundFloat16 returns the nearest number that a float16 can hold, ties to even.
func RoundFloat16[T Float](x T) T { return T(dtype.Float16FromFloat64(float64(x)).Float32()) }

// RoundBFloat16 returns the nearest number that a bfloat16 can hold, ties to even.
func RoundBFloat16[T Float](x T) T { return T(dtype.BFloat16FromFloat64(float64(x)).Float32()) }
