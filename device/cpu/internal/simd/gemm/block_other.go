//go:build !(amd64 || arm64) || purego

package gemm

func formOf[T Element]() *form { return &plainForm }

func multiplyStrip[T Element](s *strip, n int) { plainStrip[T](s, n) }
