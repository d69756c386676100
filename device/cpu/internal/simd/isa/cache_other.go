//go:build !(amd64 || arm64) || purego

package isa

func detectCaches() cacheSizes { return usualCaches }

func detectAMD() bool { return false }
