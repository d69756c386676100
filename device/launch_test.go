package device_test

import (
	"fmt"
	"reflect"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// kept are the fields that Recycle does not clear, since NewLaunch promises nothing about them.
var kept = map[string]bool{"Launch.Shape": true, "Launch.Scalars": true, "Operand.Offset": true, "Operand.Strides": true, "Operand.DType": true}

// TestRecycledLaunchIsEmpty sets every field of a launch and checks that the next launch does not see the values.
func TestRecycledLaunchIsEmpty(t *testing.T) {
	l := device.NewLaunch()
	set(reflect.ValueOf(l).Elem())
	l.Rank, l.N, l.Outputs, l.Where = 2, device.MaxOperands, 1, 2
	l.Recycle()
	nonzero(t, "Launch", reflect.ValueOf(*l))
}

// set makes every number, bool and pointer in v nonzero.
func set(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for k := range v.NumField() {
			set(v.Field(k))
		}
	case reflect.Array:
		for k := range v.Len() {
			set(v.Index(k))
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(3)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.UnsafePointer:
		v.SetPointer(unsafe.Pointer(new(int)))
	default:
		v.Set(reflect.ValueOf(3).Convert(v.Type()))
	}
}

// nonzero reports the nonzero fields in v, except those in kept.
func nonzero(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	switch {
	case kept[name] || v.IsZero():
	case v.Kind() == reflect.Struct:
		for k := range v.NumField() {
			nonzero(t, v.Type().Name()+"."+v.Type().Field(k).Name, v.Field(k))
		}
	case v.Type() == reflect.TypeFor[[device.MaxOperands]device.Operand]():
		for k := range v.Len() {
			nonzero(t, "Operand", v.Index(k))
		}
	default:
		t.Errorf("%s is %v", name, v)
	}
}

func TestInputsLeaveOutTheMask(t *testing.T) {
	l := device.NewLaunch()
	defer l.Recycle()
	l.N, l.Outputs = 5, 2
	if n := len(l.Inputs()); n != 3 {
		t.Errorf("%d inputs, want 3", n)
	}
	l.Where = 4
	if n := len(l.Inputs()); n != 2 {
		t.Errorf("%d inputs beside the mask, want 2", n)
	}
}

// TestCoalesce: the loop gets fewer axes and keeps its points.
func TestCoalesce(t *testing.T) {
	for _, test := range []struct {
		shape []int
		a, b  []int
		want  string
	}{
		{[]int{2, 3, 4}, []int{12, 4, 1}, []int{12, 4, 1}, "[24] [1] [1]"},
		{[]int{4, 3}, []int{1, 4}, []int{1, 4}, "[12] [1] [1]"},
		{[]int{2, 3, 4}, []int{12, 4, 1}, []int{0, 4, 1}, "[2 12] [12 1] [0 1]"},
		{[]int{1, 5, 1}, []int{99, 1, 7}, []int{3, -1, 8}, "[5] [1] [-1]"},
		{[]int{2, 0}, []int{1, 1}, []int{1, 1}, "[0]"},
		{nil, nil, nil, "[] [] []"},
	} {
		l := device.NewLaunch()
		l.Rank, l.N = copy(l.Shape[:], test.shape), 2
		copy(l.Operands[0].Strides[:], test.a)
		copy(l.Operands[1].Strides[:], test.b)
		l.Coalesce()
		got := fmt.Sprint(l.Shape[:l.Rank])
		if l.Size() > 0 {
			got = fmt.Sprint(got, " ", l.Operands[0].Strides[:l.Rank], " ", l.Operands[1].Strides[:l.Rank])
		}
		if got != test.want {
			t.Errorf("%v with strides %v, %v became %s, want %s", test.shape, test.a, test.b, got, test.want)
		}
		l.Recycle()
	}
}

func TestCombinesHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for c := device.CombineAssign; c <= device.CombineAny; c++ {
		if seen[c.String()] || c.String() == "" {
			t.Errorf("combination %d is called %q", c, c)
		}
		seen[c.String()] = true
	}
}

// TestOpcodesHaveNames: source text reaches every opcode from OpAdd on by its name.
func TestOpcodesHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for op := device.OpInput; op < device.OpCount; op++ {
		if seen[op.String()] || op.String() == "" || op.Arity() < 0 || op.Arity() > 3 {
			t.Errorf("opcode %d is called %q, arity %d", op, op, op.Arity())
		}
		seen[op.String()] = true
		accepted := 0
		for _, c := range device.ComputeTypes {
			if op.Accepts(c) {
				accepted++
			}
		}
		if (accepted > 0) != (op >= device.OpAdd) {
			t.Errorf("%v accepts %d types", op, accepted)
		}
	}
}

// TestBind: inputs that become scalars of the launch follow the program's own scalars, and the result stays the same.
func TestBind(t *testing.T) {
	p := compile(t, device.Source{Name: "k", Inputs: "int32 x, double u, raw int64 r", Scalars: "int32 a", Outputs: "double y",
		Body: "x*100 + u*10 + a + r[0]"}, nil)
	x, u, a, r := real64(3), real64(2), real64(1), real64(1000)
	for _, test := range []struct {
		mask    uint
		scalars []number
		inputs  [][]number
	}{
		{0, []number{a}, [][]number{{x}, {u}, {r}}},
		{1, []number{a, x}, [][]number{{u}, {r}}},
		{2, []number{a, u}, [][]number{{x}, {r}}},
		{3, []number{a, x, u}, [][]number{{r}}},
	} {
		q := p.Bind(test.mask)
		if got := evaluate(q, test.scalars, test.inputs...); got[0].Re != 1321 {
			t.Errorf("bound %b: %v, want 1321\n%s", test.mask, got, q)
		}
		if q != p.Bind(test.mask) {
			t.Errorf("bound %b twice", test.mask)
		}
	}
}

func TestHasRaw(t *testing.T) {
	for body, want := range map[string]bool{"r[x]": true, "i + x": true, "n + x": false, "x": false} {
		p := compile(t, device.Source{Name: "k", Inputs: "int32 x, raw int32 r", Outputs: "int64 y", Body: body}, nil)
		if p.HasRaw() != want {
			t.Errorf("%s: HasRaw is %v", body, !want)
		}
	}
}

func TestCompiledIsMadeOncePerKey(t *testing.T) {
	p := compile(t, device.Source{Name: "k", Outputs: "int8 y", Body: "1"}, map[byte]dtype.DType{})
	made := 0
	compiled := func(key any) any {
		return p.Compiled(key, func() any { made++; return made })
	}
	if compiled("a") != 1 || compiled("b") != 2 || compiled("a") != 1 || made != 2 {
		t.Errorf("made %d times", made)
	}
}
