package device_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
)

// TestSignaturesHaveEveryKernel compares the table with the types: it has every kernel, and every name in it exists.
func TestSignaturesHaveEveryKernel(t *testing.T) {
	var kernels, rows []string
	for k := range reflect.TypeFor[device.Kernels]().NumMethod() {
		kernels = append(kernels, reflect.TypeFor[device.Kernels]().Method(k).Name)
	}
	read := map[string]bool{}
	for _, s := range device.Signatures {
		rows = append(rows, s.Kernel)
		for name := range strings.FieldsSeq(s.Attributes) {
			read[name] = true
		}
	}
	slices.Sort(rows)
	if !slices.Equal(rows, kernels) {
		t.Errorf("the rows are\n%v, the kernels\n%v", rows, kernels)
	}
	attributes := reflect.TypeFor[device.Attributes]()
	for k := range attributes.NumField() {
		if name := attributes.Field(k).Name; !read[name] {
			t.Errorf("no row has %s", name)
		}
		delete(read, attributes.Field(k).Name)
	}
	delete(read, "Scalars")
	for name := range read {
		t.Errorf("a row has %s, which is no attribute", name)
	}
}
