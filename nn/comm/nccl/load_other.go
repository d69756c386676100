//go:build !linux || android || !(amd64 || arm64)

package nccl

import (
	"fmt"
	"runtime"
)

func loadLibrary(string) (*library, error) {
	return nil, fmt.Errorf("NCCL exists on Linux only (amd64, arm64), not on %s/%s", runtime.GOOS, runtime.GOARCH)
}
