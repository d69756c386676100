package compliance_test

import (
	"testing"

	_ "github.com/ndgrad/ndgrad/device/cpu"
)

func TestCPU(t *testing.T) { run(t, "cpu") }
