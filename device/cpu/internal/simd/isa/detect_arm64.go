//go:build !purego

package isa

import "golang.org/x/sys/cpu"

// detect returns the only level of arm64, where every processor has NEON.
func detect() Level { return AVX2 }

func detectVNNI() bool { return cpu.ARM64.HasASIMDDP }

func detectBF16() bool { return false }
