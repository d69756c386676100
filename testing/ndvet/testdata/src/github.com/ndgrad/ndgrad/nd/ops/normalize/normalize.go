// Package normalize stands for the library's: its functions are declared as there, and do nothing.
package normalize

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

type BatchNormalizationOption interface{ ops.Option }

func BatchNormalization(x, beta, gamma, mean, variance *nd.Array, opts ...BatchNormalizationOption) *nd.Array {
	return nil
}
