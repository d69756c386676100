//go:build !amd64 || purego

package conv

// ForFloat32 returns the routines for float32 at the present level.
func ForFloat32() *Kernels { return plain32 }

// ForFloat64 returns those for float64.
func ForFloat64() *Kernels { return plain64 }
