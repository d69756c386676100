package compliance

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/device"
)

// testSignatures launches every kernel twice, the second time with garbage in the attributes that its signature does
// not have, and requires identical bytes. In the rest of the suite the device always gets garbage there, and the
// reference device never.
func testSignatures(s *suite) {
	s.reference, s.settings = s.dev, []func(){func() {}, func() {}}
	for _, launch := range fuzzed {
		for range 8 {
			launch(s)
		}
	}
}

// kernelless is a device whose kernels panic with their name.
type kernelless struct {
	device.Base
	deviceless
}

// deviceless has the methods of a device that are not kernels. It is embedded one level deeper than device.Base;
// therefore the kernels of the struct are those of kernelless.
type deviceless struct{ device.Device }

// signature returns the signature of the kernel that is called, or nil for a function that calls no kernel.
func (c call) signature() *device.Signature {
	var named *device.Unsupported
	l := device.NewLaunch()
	defer l.Recycle()
	if !errors.As(protect(func() { c.kernel(kernelless{}, l) }), &named) {
		return nil
	}
	k := slices.IndexFunc(device.Signatures, func(s device.Signature) bool { return s.Kernel == named.Kernel })
	return &device.Signatures[k]
}

// mismatch describes an operand of a call that its signature does not allow, or returns "".
func (c call) mismatch(s *device.Signature) string {
	inputs := c.inputs
	if c.where != nil {
		inputs = append(slices.Clone(inputs), c.where)
	}
	for list, operands := range map[string][]*array{s.Outputs: c.outputs, s.Inputs: inputs} {
		names, least := strings.Fields(list), 0
		for k, name := range names {
			if strings.HasSuffix(name, "...") || name[0] == '[' {
				continue
			}
			if least++; k < len(operands) && operands[k] == nil && !strings.HasSuffix(name, "?") {
				return name + " has no memory"
			}
		}
		if n := len(operands); n < least || n > len(names) && !strings.Contains(list, "...") {
			return fmt.Sprintf("got %d operands of %q", n, list)
		}
	}
	return ""
}

// spoil fills the attributes of a launch that a kernel with this signature does not read with garbage.
func spoil(l *device.Launch, s *device.Signature) {
	read, attributes := strings.Fields(s.Attributes), reflect.ValueOf(&l.Attributes).Elem()
	for k := range attributes.NumField() {
		if !slices.Contains(read, attributes.Type().Field(k).Name) {
			garbage(attributes.Field(k))
		}
	}
	if !slices.Contains(read, "Scalars") {
		garbage(reflect.ValueOf(&l.Scalars).Elem())
	}
}

// garbage sets v, of any attribute type, to a value that no kernel can use.
func garbage(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Struct:
		for k := range v.NumField() {
			garbage(v.Field(k))
		}
	case v.Kind() == reflect.Array:
		for k := range v.Len() {
			garbage(v.Index(k))
		}
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanFloat():
		v.SetFloat(math.NaN())
	case v.CanInt():
		v.SetInt(-77)
	default:
		v.SetUint(77)
	}
}
