package compliance_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/testing/compliance"
)

// TestRef shows that the suite agrees with itself; that the reference device is right is shown by its own tests. A sample is
// enough: it runs whatever another device is compared with.
func TestRef(t *testing.T) { compliance.Sample(t, get(t, "ref"), 1) }

func get(t *testing.T, name string) device.Device {
	dev, err := device.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return dev
}
