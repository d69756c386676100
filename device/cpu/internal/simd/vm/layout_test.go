package vm

import (
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/layout"
)

func TestLayout(t *testing.T) {
	layout.Test(t, "vm", frame{}, instruction{}, moves{}, streamMove{}, uniformMove{})
}
