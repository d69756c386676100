package nd_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestLaunchRefusesWhatIsNotOnItsDevice passes arrays without memory on the launch's device to each method that adds an
// operand, as the first operand and as a later one.
func TestLaunchRefusesWhatIsNotOnItsDevice(t *testing.T) {
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	here := nd.Ones([]int{2, 3})
	bools := nd.ArrayOptions{DType: dtype.Bool, Device: ref}
	released := nd.Ones([]int{2, 3})
	released.Release()
	bad := map[string]*nd.Array{"device ref": nd.Ones([]int{2, 3}, bools), "Scalar": nd.Scalar(1), "nil": nil, "released": released}
	array := reflect.TypeFor[*nd.Array]()
	ways := 0
	for i := range reflect.TypeFor[*nd.Launch]().NumMethod() {
		method := reflect.TypeFor[*nd.Launch]().Method(i)
		if method.Type.NumIn() < 2 || method.Type.In(1) != array {
			continue
		}
		ways++
		for what, x := range bad {
			for _, begun := range []bool{false, true} {
				l := nd.Func("test.launch").Launch(here.Device(), []int{2, 3})
				if begun {
					l.Write(here)
				}
				args := []reflect.Value{reflect.ValueOf(&l), reflect.ValueOf(x)}
				if method.Type.NumIn() == 3 {
					args = append(args, reflect.ValueOf([]int{3, 1}))
				}
				var refused *nd.Error
				err := panicOf(func() { method.Func.Call(args) })
				if !errors.As(err, &refused) || refused.Func != "test.launch" || !strings.Contains(refused.Msg, what) {
					t.Errorf("%s of %s, begun %v: %v", method.Name, what, begun, err)
				}
			}
		}
	}
	if ways < 6 {
		t.Errorf("%d methods take operands, want all", ways)
	}
}

func TestNothingIsMadeOnNoDevice(t *testing.T) {
	refused(t, func() { nd.FromSliceOn(nil, []float64{1}) }, "nd.FromSlice", "no device")
	refused(t, func() { nd.Ones([]int{2}).To(nil) }, "Array.To", "no device")
}

// TestScalarsHaveNoMemory: a method that needs the memory of an array refuses a Scalar, or converts it to an array.
func TestScalarsHaveNoMemory(t *testing.T) {
	refused(t, func() { nd.NewArena().Adopt(nd.Scalar(2.0)) }, "Arena.Adopt", "Scalar")
	refused(t, func() { nd.Ones([]int{2}).Immediate(dtype.Float64) }, "Array.Immediate", "Scalar")
	for i := range reflect.TypeFor[*nd.Array]().NumMethod() {
		method := reflect.TypeFor[*nd.Array]().Method(i)
		if method.Name == "Format" {
			continue // has a fmt.State argument, which only fmt can make
		}
		for _, x := range []*nd.Array{nd.Scalar(2.0), nd.Scalar(-3)} {
			args := []reflect.Value{reflect.ValueOf(x)}
			for k := 1; k < method.Type.NumIn() && !(method.Type.IsVariadic() && k == method.Type.NumIn()-1); k++ {
				in := reflect.Zero(method.Type.In(k))
				if in.Type() == reflect.TypeFor[*nd.Array]() {
					in = reflect.ValueOf(x)
				}
				args = append(args, in)
			}
			var refusal *nd.Error
			if err := panicOf(func() { method.Func.Call(args) }); err != nil && !errors.As(err, &refusal) {
				t.Errorf("Array.%s of a Scalar: %v", method.Name, err)
			}
		}
	}
	zero := nd.Pick(nd.Full(nil, true))
	if got := nd.Func("test.AddAt").AddAt(nd.Scalar(2.0), nd.Scalar(3.0), zero); nd.Value[float64](got) != 5 {
		t.Errorf("2 with 3 added is %v", got)
	}
}
