//go:build !purego

package isa

import "golang.org/x/sys/cpu"

func detect() Level {
	x := &cpu.X86
	switch {
	case !(x.HasAVX2 && x.HasFMA && x.HasBMI1 && x.HasBMI2):
		return Generic
	case x.HasAVX512F && x.HasAVX512BW && x.HasAVX512CD && x.HasAVX512DQ && x.HasAVX512VL:
		return AVX512
	}
	return AVX2
}

func detectVNNI() bool { return Best == AVX512 && cpu.X86.HasAVX512VNNI }

func detectBF16() bool { return detectVNNI() && cpu.X86.HasAVX512BF16 }
