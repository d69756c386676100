//go:build !(amd64 || arm64) || purego

package vm

import "unsafe"

// Without assembly no program compiles: package elementwise runs it in plain Go.

func (c *Code) target() bool                          { return false }
func (c *Code) slotSize() int                         { return 0 }
func (c *Code) handlers(string) (main, tail uintptr)  { return 0, 0 }
func everySecond4(dst, src unsafe.Pointer, n int) int { return 0 }
func everySecond8(dst, src unsafe.Pointer, n int) int { return 0 }
func limitOf(string) (limit [2]float64, ok bool)      { return limit, false }
func (r *frame) enter(*Code)                          {}
func (r *frame) resume(*Code)                         {}
func fence()                                          {}
