//go:build !(amd64 || arm64) || purego

package move

import "github.com/ndgrad/ndgrad/nd/dtype"

func convertPiece(to, from dtype.DType, n int, dst, src *byte) bool { return false }
