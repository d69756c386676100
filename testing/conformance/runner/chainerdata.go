package runner

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// data runs a case of data sets or iterators. A data set of n examples holds 0 to n-1.
func (t *trainingCase) data(how catalogue.CallOptions) error {
	switch name := t.c.Function; {
	case name == "chainer.dataset.concat_examples":
		return t.collates(how)
	case name == "chainer.dataset.Iterator.serialize":
		return t.resumes(how)
	case strings.HasPrefix(name, "chainer.iterators."):
		return t.iterates(how)
	}
	result, err := t.callRow(t.fn, how)
	if err != nil {
		return err
	}
	want, _ := t.c.Args.Get("expect")
	if strings.Contains(t.c.Function, "split_dataset") || strings.Contains(t.c.Function, "cross_validation") {
		return t.divides(result.Values, want)
	}
	o, _ := want.(golden.Object)
	if len(o) == 0 {
		return fmt.Errorf("want expected values in the case")
	}
	got := result.Values[0]
	if t.c.Function == "chainer.dataset.DatasetMixin" { // the row selects from any data set
		got = t.numbers()
	}
	switch d := got.(type) {
	case data.Dataset[any]:
		return holds(t, d, o)
	case data.Dataset[[]any]:
		return holds(t, d, o)
	case data.Dataset[map[string]any]:
		return holds(t, d, o)
	}
	return fmt.Errorf("got a %T, want a data set", got)
}

// numbers returns the data set that a case gives by its length.
func (t *trainingCase) numbers() data.Dataset[any] {
	return counted{t.number("n")}
}

type counted struct{ n int }

func (c counted) Len() int { return c.n }

func (c counted) At(i int) (any, error) { return i, nil }

// written is a data set whose values the case lists.
type written struct{ values golden.List }

func (l written) Len() int { return len(l.values) }

func (l written) At(i int) (any, error) { return l.values[i], nil }

// callRow calls a function with those of its arguments that the case has.
func (t *trainingCase) callRow(fn *catalogue.Function, how catalogue.CallOptions) (*catalogue.Result, error) {
	args := map[string]any{}
	for i := range fn.Params {
		p := &fn.Params[i]
		v, ok := t.c.Args.Get(p.Name)
		switch {
		case p.Ignored():
		case p.Name == "dataset" || p.Name == "self":
			args[p.Name] = t.numbers()
		case p.Name == "index":
			args[p.Name] = nd.All()
		case p.Name == "datasets":
			args[p.Name] = datasets(v)
		case p.Name == "shuffle":
			args[p.Name] = v == true // these cases are not shuffled unless they say so
		case p.Name == "transform" && v == "x*x+1":
			args[p.Name] = func(x any) (any, error) { return x.(int)*x.(int) + 1, nil }
		case ok:
			var err error
			if args[p.Name], err = (maker{file: t.file}).value(p.Name, v); err != nil {
				return nil, err
			}
		}
	}
	how.Device = nil
	return fn.Call(nil, args, how)
}

// datasets returns data sets given in a list or by name.
func datasets(v golden.Value) any {
	if o, ok := v.(golden.Object); ok {
		named := map[string]any{}
		for _, m := range o {
			list, _ := m.Value.(golden.List)
			named[m.Name] = written{list}
		}
		return named
	}
	all, _ := v.(golden.List)
	list := make([]any, len(all))
	for i, v := range all {
		values, _ := v.(golden.List)
		list[i] = written{values}
	}
	return list
}

// indexOf parses the name of a part of a data set: "last", "at_2", "slice_0_2", "slice_from_-2", "slice_step_-1", or
// the text between Python's brackets: "[4:1:-1]", "slice_::-1". one reports that the part is a single example.
func indexOf(name string) (ix nd.Index, one bool, err error) {
	inside, isSlice := strings.CutPrefix(name, "slice_")
	from, isFrom := strings.CutPrefix(inside, "from_")
	step, isStep := strings.CutPrefix(inside, "step_")
	at, isAt := strings.CutPrefix(name, "at_")
	switch {
	case name == "last":
		at, isAt = "-1", true
	case isFrom:
		inside = from + ":"
	case isStep:
		inside = "::" + step
	case isSlice && !strings.Contains(inside, ":"):
		inside = strings.ReplaceAll(inside, "_", ":")
	}
	if isAt {
		i, err := strconv.Atoi(at)
		return nd.At(i), true, err
	}
	ends := append(strings.Split(strings.Trim(inside, "[]"), ":"), "")
	if len(ends) < 3 {
		return ix, false, fmt.Errorf("unknown index")
	}
	var numbers [3]int
	for k, text := range ends[:3] {
		if text != "" {
			if numbers[k], err = strconv.Atoi(text); err != nil {
				return ix, false, err
			}
		}
	}
	switch {
	case ends[0] != "" && ends[1] != "":
		ix = nd.Span(numbers[0], numbers[1])
	case ends[0] != "":
		ix = nd.From(numbers[0])
	case ends[1] != "":
		ix = nd.Until(numbers[1])
	default:
		ix = nd.All()
	}
	if ends[2] != "" {
		ix = ix.By(numbers[2])
	}
	return ix, false, nil
}

// holds compares the length, single examples, and slices of a data set with the wanted ones.
func holds[E any](t *trainingCase, d data.Dataset[E], want golden.Object) error {
	for _, m := range want {
		if m.Name == "slices" {
			o, _ := m.Value.(golden.Object)
			if err := holds(t, d, o); err != nil {
				return err
			}
			continue
		}
		got, err := part(d, m.Name)
		if err == nil {
			err = match(t.tol, got, m.Value)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	return nil
}

// part returns the named part of a data set.
func part[E any](d data.Dataset[E], name string) (any, error) {
	list := make([]E, d.Len())
	for i := range list {
		ix := nd.At(-1 - i)
		if name == "items" {
			ix = nd.At(i)
		}
		one, err := data.Select(d, ix)
		if err != nil {
			return nil, err
		}
		list[i] = one[0]
	}
	switch name {
	case "len":
		return d.Len(), nil
	case "items", "negative":
		return list, nil
	}
	ix, one, err := indexOf(name)
	if err != nil {
		return nil, err
	}
	chosen, err := data.Select(d, ix)
	if err == nil && one {
		return chosen[0], nil
	}
	return chosen, err
}

// divides compares the examples of the parts of a data set with the wanted ones. For a random division it compares
// their numbers, and checks that each example is in exactly one part of every division.
func (t *trainingCase) divides(results []any, want golden.Value) error {
	divisions := [][]data.Dataset[any]{nil}
	for _, v := range results {
		switch v := v.(type) {
		case data.Dataset[any]:
			divisions[0] = append(divisions[0], v)
		case []data.Fold[any]:
			divisions = divisions[:0]
			for _, fold := range v {
				divisions = append(divisions, []data.Dataset[any]{fold.Train, fold.Test})
			}
		}
	}
	var all [][][]any
	sizes := map[string][]int{}
	for _, parts := range divisions {
		var lists [][]any
		for k, d := range parts {
			list, err := data.Select(d, nd.All())
			if err != nil {
				return err
			}
			lists = append(lists, list)
			sizes["sizes"] = append(sizes["sizes"], len(list))
			which := []string{"train_sizes", "test_sizes"}[k]
			sizes[which] = append(sizes[which], len(list))
		}
		all = append(all, lists)
	}
	o, random := want.(golden.Object)
	switch {
	case !random && len(all) == 1 && !strings.Contains(t.c.Function, "cross"):
		return match(t.tol, all[0], want)
	case !random:
		return match(t.tol, all, want)
	}
	for _, m := range o {
		if m.Name == "disjoint_cover" {
			if err := t.covers(all); err != nil {
				return err
			}
		} else if err := match(t.tol, sizes[m.Name], m.Value); err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	return nil
}

// covers returns an error unless each division has every example once.
func (t *trainingCase) covers(divisions [][][]any) error {
	for _, parts := range divisions {
		seen := map[any]bool{}
		for _, v := range slices.Concat(parts...) {
			if seen[v] {
				return fmt.Errorf("%v is in two parts", v)
			}
			seen[v] = true
		}
		if len(seen) != t.numbers().Len() {
			return fmt.Errorf("%d examples in all parts, want %d", len(seen), t.numbers().Len())
		}
	}
	return nil
}

// collates compares a batch of examples. A tuple is written as an object with the names "0", "1", …; the outputs of a
// batch of dictionaries are in the order of the names.
func (t *trainingCase) collates(how catalogue.CallOptions) error {
	kind, _ := t.c.Args.Get("kind")
	args := map[string]any{"device": t.Device}
	for _, name := range []string{"batch", "padding"} {
		if v, ok := t.c.Args.Get(name); ok {
			var err error
			if args[name], err = (maker{file: t.file}).value(name, v); err != nil {
				return err
			}
		}
	}
	if list, ok := args["batch"].([]any); ok {
		for i, v := range list {
			entries, _ := v.(map[string]any)
			arrays := map[string]*nd.Array{}
			for name, x := range entries {
				arrays[name], _ = x.(*nd.Array)
			}
			if list[i] = arrays; kind == "tuple" {
				list[i] = sorted(arrays)
			}
		}
	}
	result, err := t.fn.Call(nil, args, how)
	want, _ := t.c.Args.Get("expect")
	if o, ok := want.(golden.Object); ok && len(o) > 0 {
		return wantRefusal(err, t.c)
	}
	if err != nil {
		return err
	}
	if named, ok := result.Values[0].(map[string]*nd.Array); ok {
		result.Values = nil
		for _, x := range sorted(named) {
			result.Values = append(result.Values, x)
		}
	}
	return (&trial{file: t.file, device: t.Device, fn: t.fn, result: result}).compareOutputs(t.c, t.tol)
}

// sorted lists arrays in the order of their names.
func sorted(named map[string]*nd.Array) []*nd.Array {
	var xs []*nd.Array
	for _, name := range slices.Sorted(maps.Keys(named)) {
		xs = append(xs, named[name])
	}
	return xs
}
