//go:build !amd64 || purego

package gemm

func formOf[T Element]() *form { return &plainForm }

func multiplyStrip[T Element](s *strip, n int) { plainStrip[T](s, n) }
