//go:build !purego

package isa

import "runtime"

// detectCaches returns what the makers say, because arm64 does not let programs ask: Apple's performance cores share 12 to
// 16 MiB of second-level cache by four or six, and have no third level of their own; cores of servers, Arm's Neoverse N1 to
// V2, have 1 to 2 MiB each and some 32 MiB for all.
func detectCaches() cacheSizes {
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return cacheSizes{near: 3 << 20, last: 12 << 20}
	}
	return usualCaches
}

func detectAMD() bool { return false }
