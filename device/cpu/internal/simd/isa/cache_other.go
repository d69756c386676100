//go:build !amd64 || purego

package isa

func detectLastCache() int { return usualLastCache }
