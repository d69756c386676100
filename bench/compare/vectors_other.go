//go:build !amd64

package main

func wideVectors() bool { return false }
