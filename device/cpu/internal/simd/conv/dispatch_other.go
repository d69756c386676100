//go:build !(amd64 || arm64) || purego

package conv

import "github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"

func make32(isa.Level) *Kernels { return plain[float32]() }

func make64(isa.Level) *Kernels { return plain[float64]() }
