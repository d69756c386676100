package compliance_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/testing/compliance"
)

// TestRef checks that the suite agrees with itself; the tests of the reference device check that it is right. A sample
// is enough, because the suite runs on the reference device whenever another device is compared with it.
func TestRef(t *testing.T) { compliance.Sample(t, get(t, "ref"), 1) }

func get(t *testing.T, name string) device.Device {
	dev, err := device.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return dev
}
