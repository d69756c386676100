package runner

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

func TestChains(t *testing.T) {
	r, err := New(catalogue.Rows())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		program, expect string
		passes          bool
	}{
		{"Chain(a=Linear(2, 3, nobias=True), b=ChainList(EmbedID(4, 2)))", `"namedparams": [["/b/0/W", [4, 2]], ["/a/W", [3, 2]]], "children": 2`, true},
		{"Chain(a=Linear(2, 3, bias=-0.5))", `"saved_keys": ["a/W", "a/b"], "namedlinks": [["/", "Chain"], ["/a", "Linear"]], "namedlinks_skipself": ["/a"]`, true},
		{"Chain(a=BatchNormalization((2, 3)))", `"namedparams": [["/a/gamma", [2, 3]], ["/a/beta", [2, 3]]]`, true},
		{"Chain(a=Linear(2, 3))", `"children": 2`, false},
		{"Chain(a=Linear(2, 3))", `"saved_keys": ["a/W"]`, false},
		{"Chain(a=Linear(2, 3))", `"namedlinks": [["/", "Chain"], ["/a", "EmbedID"]]`, false},
		{"Chain(a=Linear(2, 3))", ``, false},
		{"Chain(a=None(2, 3))", `"children": 1`, false},
		{"Chain(a=3)", `"children": 1`, false},
		{"Chain(a=Linear(2 3))", `"children": 1`, false},
		{"Chain(a=Linear(2, x))", `"children": 1`, false},
	} {
		dir := writeSuiteOf(t, "chainer_training", fmt.Sprintf(
			`{"id": "c-1", "function": "chainer.Chain", "args": {"program": %q, "expect": {%s}}, "outputs": []}`, c.program, c.expect))
		total, err := r.Run(dir)
		if err != nil || total.Passed+total.Failed != 1 || (total.Passed == 1) != c.passes {
			t.Errorf("%s with %s: %+v, %v, want it to pass: %v", c.program, strings.TrimSpace(c.expect), total, err, c.passes)
		}
	}
}
