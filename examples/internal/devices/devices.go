// Package devices returns the device named by an example's flag.
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

// Get returns the device with the given name. If the name is that of a GPU and there is none, the error says why.
func Get(name string) (device.Device, error) {
	dev, err := device.Get(name)
	if err != nil && strings.HasPrefix(name, "cuda:") && cudaops.Err() != nil {
		return nil, fmt.Errorf("%s: %w", name, cudaops.Err())
	}
	return dev, err
}
