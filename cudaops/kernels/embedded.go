//go:build cuda && linux

package kernels

import "embed"

//go:embed *.cu *.cuh ptx
var built embed.FS
