//go:build !amd64 || purego

package gemm

func formOf[T Float]() *form { return &plainForm }

func multiplyStrip[T Float](s *strip, n int) { plainStrip[T](s, n) }
