// Package devices finds the device that a flag of an example names.
package devices

import (
	"flag"
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/cudaops"
	"github.com/ndgrad/ndgrad/device"
)

// Flag adds the flag -device.
func Flag(flags *flag.FlagSet) *string {
	return flags.String("device", "cpu", "`name` of the device to run on, such as cuda:0")
}

// Get returns the device of a name. Where a GPU is asked for and there is none, the error says why.
func Get(name string) (device.Device, error) {
	dev, err := device.Get(name)
	if err != nil && strings.HasPrefix(name, "cuda:") && cudaops.Err() != nil {
		return nil, fmt.Errorf("-device %s: %w", name, cudaops.Err())
	}
	return dev, err
}
