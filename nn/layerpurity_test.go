package nn_test

import (
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// Several goroutines can evaluate at the same time: evaluation reads parameters and writes none. A scope watched with
// Test evaluates.
func TestLayersAreEvaluatedTogether(t *testing.T) {
	for _, l := range allLayers() {
		params, in := nn.NewScope(), l.operands(nd.ArrayOptions{})
		trainOnce(l, params, 1) // makes the statistics differ from the initial ones
		want := contents(l.call(params, in))
		before := fingerprint(params)
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				if got := contents(l.call(params, in)); !cmp.Equal(got, want) {
					t.Errorf("%s: evaluations differ", l.name)
				}
			})
		}
		wait.Wait()
		if got := contents(l.call(params.Watch(grad.NewTape(), nn.WatchOptions{Test: true}), in)); !cmp.Equal(got, want) {
			t.Errorf("%s: watched with Test it is not evaluated", l.name)
		}
		if fingerprint(params) != before {
			t.Errorf("%s: evaluation writes", l.name)
		}
	}
}

// Training writes statistics, and records of derived values: untrained parameters. The only exception is W of INQ.
func TestLayersWriteStatisticsAlone(t *testing.T) {
	for _, l := range allLayers() {
		params, in := nn.NewScope(), l.operands(nd.ArrayOptions{})
		l.call(params, in)
		before := valuesOf(params)
		for seed := range uint64(2) {
			l.call(params.Watch(grad.NewTape(), nn.WatchOptions{Rand: nd.NewRand(seed)}), in)
		}
		for name, p := range params.All() {
			isINQ := strings.HasPrefix(name, "inq_") && strings.HasSuffix(name, "/W")
			if written := !cmp.Equal(floats(p.Value()), before[name]); written && p.NeedGrad() && !isINQ {
				t.Errorf("%s writes the trained parameter %q", l.name, name)
			}
		}
	}
}

// Two goroutines that train models of all layers have the same results as alone.
func TestModelsOfAllLayersNeverMeet(t *testing.T) {
	train := func(seed uint64) map[string][]float64 {
		all := map[string][]float64{}
		for _, l := range allLayers() {
			params := nn.NewScope(nn.ScopeOptions{Rand: nd.NewRand(seed)})
			for step := range uint64(3) {
				trainOnce(l, params.Sub(l.name), seed+step)
			}
			maps.Copy(all, valuesOf(params))
		}
		return all
	}
	want := [2]map[string][]float64{train(1), train(2)}
	var wait sync.WaitGroup
	for i := range want {
		wait.Go(func() {
			if got := train(uint64(i) + 1); !cmp.Equal(got, want[i]) {
				t.Errorf("beside another training: %s", cmp.Diff(got, want[i]))
			}
		})
	}
	wait.Wait()
}

// trainOnce moves the parameters of a layer against the gradients of the sum of its results.
func trainOnce(l layer, params *nn.Scope, seed uint64) {
	tape := grad.NewTape()
	model := params.Watch(tape, nn.WatchOptions{Rand: nd.NewRand(seed)})
	loss := nd.Scalar(0)
	for _, y := range l.call(model, l.operands(nd.ArrayOptions{})) {
		loss = ops.Add(loss, ops.Sum(ops.Square(y)))
	}
	optim.NewSGD(optim.SGDOptions{LR: 1e-3}).Update(optim.GradientsOf(model, loss))
	tape.Reset()
}

func contents(results arrays) [][]float64 {
	var all [][]float64
	for _, y := range results {
		all = append(all, floats(y))
	}
	return all
}

// valuesOf returns the elements of all parameters by name.
func valuesOf(s *nn.Scope) map[string][]float64 {
	all := map[string][]float64{}
	for name, p := range s.All() {
		all[name] = floats(p.Value())
	}
	return all
}
