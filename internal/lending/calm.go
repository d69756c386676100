//go:build !storm

package lending

// early reports whether to inject a fault, which happens only under the tag storm.
func early() bool { return false }
