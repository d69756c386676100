package sample

import (
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/layout"
)

func TestLayout(t *testing.T) { layout.Test(t, "sample", PlaneTable{}, planeNumbers{}) }
