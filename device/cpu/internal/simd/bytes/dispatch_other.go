//go:build !(amd64 || arm64) || purego

package bytes

func runBytes(Operation, *byte, *byte, *byte, int) int { return 0 }

func product64(*byte, *byte, *byte, int) int { return 0 }

func product128(*byte, *byte, *byte, int) int { return 0 }

func modulus64(*byte, *byte, int) int { return 0 }

func modulus128(*byte, *byte, int) int { return 0 }

func remainders(dst, a []uint64, divisor, reciprocal uint64) int { return 0 }
