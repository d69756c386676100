//go:build !amd64 || purego

package isa

func detect() Level { return Generic }

func detectVNNI() bool { return false }
