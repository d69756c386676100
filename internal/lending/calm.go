//go:build !storm

package lending

// early reports whether a fault is planted, which it is under the tag storm alone.
func early() bool { return false }
