package main

import "golang.org/x/sys/cpu"

// wideVectors reports whether the processor has AVX-512.
func wideVectors() bool { return cpu.X86.HasAVX512F }
