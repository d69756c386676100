package torch

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// resolve returns what a pickle may refer to by module and name.
func resolve(g global) (any, error) {
	switch {
	case g.module == "torch" && isType(g.name):
		return Name("torch." + g.name), nil
	case g.module == "torch" && (storageType(g.name).Valid() || strings.HasSuffix(g.name, "Storage")), g.module == "torch.storage" && g.name == untyped:
		return g, nil
	case strings.HasPrefix(g.module, "__torch__"): // a class of a TorchScript archive
		return g, nil
	}
	switch g.String() {
	case "collections.OrderedDict", "collections.defaultdict", "collections.Counter", "builtins.dict", "builtins.set", "__builtin__.set", "__builtin__.dict",
		"torch.Size", "torch.device", "torch._utils._rebuild_tensor", "torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_tensor_v3",
		"torch._utils._rebuild_parameter", "torch._utils._rebuild_parameter_with_state", "torch.nn.parameter.Parameter", "torch.Tensor",
		"torch.jit._pickle.build_intlist", "torch.jit._pickle.build_doublelist", "torch.jit._pickle.build_boollist",
		"torch.jit._pickle.build_tensorlist", "torch.jit._pickle.restore_type_tag":
		return g, nil
	}
	return nil, fmt.Errorf("the class %s is not one that tensors need: files that name other classes or functions are refused, since they could run anything", g)
}

// reduce replaces a class and its arguments by the object that they make.
func (u *unpickler) reduce() error {
	items, err := u.popItems(2)
	if err != nil {
		return err
	}
	g, isClass := items[0].(global)
	args, isTuple := items[1].(*List)
	if !isClass || !isTuple {
		return errors.New("a call of a value that is not a class")
	}
	v, err := construct(g, args.Items)
	if err != nil {
		return fmt.Errorf("%s: %w", g, err)
	}
	return u.pushContainer(v)
}

// construct returns the object that a class makes of arguments.
func construct(g global, args []any) (any, error) {
	if strings.HasPrefix(g.module, "__torch__") {
		return &Dict{IsObject: true}, nil
	}
	switch g.name {
	case "OrderedDict", "defaultdict", "Counter", "dict":
		return dictOf(args)
	case "set", "Size", "build_intlist", "build_doublelist", "build_boollist", "build_tensorlist":
		if len(args) == 1 {
			if list, ok := args[0].(*List); ok {
				return &List{list.Items}, nil
			}
		}
	case "restore_type_tag", "_rebuild_parameter", "_rebuild_parameter_with_state", "Parameter":
		if len(args) > 0 {
			return args[0], nil
		}
	case "device":
		if len(args) > 0 {
			return Name(fmt.Sprint(args...)), nil
		}
	case "_rebuild_tensor", "_rebuild_tensor_v2", "_rebuild_tensor_v3":
		return tensorOf(g.name, args)
	}
	return nil, fmt.Errorf("want other arguments than %d", len(args))
}

// dictOf makes a dict of nothing, of a dict, or of a list of pairs; the factory of a defaultdict is ignored.
func dictOf(args []any) (*Dict, error) {
	d := &Dict{}
	if len(args) == 0 {
		return d, nil
	}
	switch from := args[len(args)-1].(type) {
	case nil, global:
		return d, nil
	case *Dict:
		for i, key := range from.Keys {
			if err := d.set(key, from.Values[i]); err != nil {
				return nil, err
			}
		}
		return d, nil
	case *List:
		for _, item := range from.Items {
			pair, ok := item.(*List)
			if !ok || len(pair.Items) != 2 {
				return nil, errors.New("want pairs of a key and a value")
			}
			if err := d.set(pair.Items[0], pair.Items[1]); err != nil {
				return nil, err
			}
		}
		return d, nil
	}
	return nil, errors.New("want a dict, or pairs of a key and a value")
}

// tensorOf makes a tensor of (storage, offset, shape, strides, requires_grad, hooks[, dtype]).
func tensorOf(function string, args []any) (*Tensor, error) {
	if len(args) < 4 {
		return nil, fmt.Errorf("want at least 4 arguments, not %d", len(args))
	}
	s, isStorage := args[0].(*storage)
	offset, isNumber := args[1].(int64)
	shape, shapeErr := lengths(args[2])
	strides, stridesErr := lengths(args[3])
	if !isStorage || !isNumber || offset < 0 || shapeErr != nil || stridesErr != nil || len(shape) != len(strides) {
		return nil, errors.New("want a storage, an offset, a shape and strides")
	}
	t := &Tensor{DType: storageType(s.class), Type: s.class, Storage: s.key, Count: s.count, Offset: int(offset), Shape: shape, Strides: strides}
	if s.class == untyped {
		var name Name
		if function == "_rebuild_tensor_v3" && len(args) > 6 {
			name, _ = args[6].(Name)
		}
		t.Type = strings.TrimPrefix(string(name), "torch.")
		if t.DType = tensorType(t.Type); t.DType.Valid() {
			t.Count /= t.DType.Size()
		}
	}
	if err := broadcast.CheckShape(shape); err != nil {
		return nil, err
	}
	return t, t.check()
}

// check refuses a tensor that reaches beyond its storage. One of an unknown dtype is not checked: it cannot be read.
func (t *Tensor) check() error {
	if !t.DType.Valid() || broadcast.Size(t.Shape) == 0 {
		return nil
	}
	last, room := t.Offset, t.Offset < t.Count
	for k, n := range t.Shape {
		room = room && (n == 1 || t.Strides[k] <= (t.Count-1-last)/(n-1))
		if room {
			last += (n - 1) * t.Strides[k]
		}
	}
	if !room || last >= t.Count {
		return fmt.Errorf("shape %s with strides %v from element %d on reaches beyond a storage of %d elements",
			broadcast.FormatShape(t.Shape), t.Strides, t.Offset, t.Count)
	}
	return nil
}

// lengths returns a list of numbers from 0 on.
func lengths(v any) ([]int, error) {
	list, ok := v.(*List)
	if !ok || len(list.Items) > broadcast.MaxRank {
		return nil, fmt.Errorf("%v is not a list of at most %d numbers", v, broadcast.MaxRank)
	}
	out := make([]int, len(list.Items))
	for i, item := range list.Items {
		n, ok := item.(int64)
		if !ok || n < 0 {
			return nil, fmt.Errorf("%v is not a number from 0 on", item)
		}
		out[i] = int(n)
	}
	return out, nil
}

// build gives an object its state: attributes, which count for objects of TorchScript only.
func (u *unpickler) build() error {
	state, err := u.pop()
	if err != nil {
		return err
	}
	if len(u.stack) == 0 {
		return errEmptyStack
	}
	d, ok := u.stack[len(u.stack)-1].(*Dict)
	if !ok {
		return errors.New("a state for a value that has none")
	}
	if !d.IsObject {
		return nil
	}
	attributes, ok := state.(*Dict)
	if !ok { // the state of a class with a __getstate__ of its own
		return d.set("state", state)
	}
	*d = Dict{Keys: attributes.Keys, Values: attributes.Values, index: attributes.index, IsObject: true}
	return nil
}
