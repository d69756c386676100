package nd_test

import (
	"errors"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func TestMethodsRefuseNil(t *testing.T) {
	var x *nd.Array
	for name, call := range map[string]func(){
		"Array.Rank":         func() { x.Rank() },
		"Array.Dim":          func() { x.Dim(0) },
		"Array.Shape":        func() { x.Shape() },
		"Array.Strides":      func() { x.Strides() },
		"Array.Offset":       func() { x.Offset() },
		"Array.Size":         func() { x.Size() },
		"Array.DType":        func() { x.DType() },
		"Array.Device":       func() { x.Device() },
		"Array.IsContiguous": func() { x.IsContiguous() },
		"Array.IsFortran":    func() { x.IsFortran() },
		"Array.IsScalar":     func() { x.IsScalar() },
		"Array.Copy":         func() { x.Copy() },
		"Array.AsType":       func() { x.AsType(dtype.Float32) },
	} {
		var refused *nd.Error
		if err := nd.Catch(call); !errors.As(err, &refused) || refused.Func != name {
			t.Errorf("%s of nil: %v, want a refusal by that name", name, err)
		}
	}
	x.Release() // of nothing is allowed
}
