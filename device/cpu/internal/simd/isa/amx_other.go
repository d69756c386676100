//go:build !(linux && amd64) || purego

package isa

func detectAMX() bool { return false }
