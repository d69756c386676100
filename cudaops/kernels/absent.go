//go:build !cuda || !linux

package kernels

import "embed"

var built embed.FS
