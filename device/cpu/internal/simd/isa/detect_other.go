//go:build !(amd64 || arm64) || purego

package isa

func detect() Level { return Generic }

func detectVNNI() bool { return false }

func detectBF16() bool { return false }
