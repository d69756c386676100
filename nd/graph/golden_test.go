package graph_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/graph"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
)

// files is the directory of Chainer's graphs; the tests are skipped if it does not exist.
const files = "../../../shared/golden/chainer_files"

// picture is a graph in the representation of the files.
type picture struct {
	Nodes []struct{ Label, Shape string }
	Edges [][2]int
}

// fileOf reads a picture of Chainer's.
func fileOf(t *testing.T, name string) picture {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(files, name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no reference results here")
	}
	var p picture
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

var (
	nodeLine = regexp.MustCompile(`^ +(\d+) \[label="(.*?)"(.*)\];$`)
	edgeLine = regexp.MustCompile(`^ +(\d+) -> (\d+);$`)
	shapeOf  = regexp.MustCompile(`shape="(\w+)"`)
)

// read reads a graph's text.
func read(t *testing.T, dot string) picture {
	t.Helper()
	var p picture
	for _, line := range strings.Split(dot, "\n") {
		if m := nodeLine.FindStringSubmatch(line); m != nil {
			if m[1] != strconv.Itoa(len(p.Nodes)) {
				t.Errorf("node %s is not number %d", m[1], len(p.Nodes))
			}
			p.Nodes = append(p.Nodes, struct{ Label, Shape string }{m[2], shapeOf.FindStringSubmatch(m[3])[1]})
		} else if m := edgeLine.FindStringSubmatch(line); m != nil {
			from, _ := strconv.Atoi(m[1])
			to, _ := strconv.Atoi(m[2])
			p.Edges = append(p.Edges, [2]int{from, to})
		}
	}
	return p
}

// neighbourhoods describes every node by its shape, a variable also by its label, and by the descriptions of its
// neighbours, round after round: graphs of the same structure have the same descriptions. Labels of functions are names
// of Chainer's classes.
func (p picture) neighbourhoods() []string {
	color := make([]string, len(p.Nodes))
	for i, n := range p.Nodes {
		color[i] = n.Shape
		if n.Shape == "octagon" || n.Shape == "oval" {
			color[i] += " " + n.Label
		}
	}
	for range 5 {
		next := make([]string, len(color))
		for i := range color {
			var in, out []string
			for _, e := range p.Edges {
				if e[1] == i {
					in = append(in, color[e[0]])
				}
				if e[0] == i {
					out = append(out, color[e[1]])
				}
			}
			slices.Sort(in)
			slices.Sort(out)
			next[i] = fmt.Sprintf("%s <- %q -> %q", color[i], in, out)
		}
		color = next
	}
	slices.Sort(color)
	return color
}

func compare(t *testing.T, file string, g *graph.Graph) {
	t.Helper()
	want, got := fileOf(t, file), read(t, g.DOT())
	if !slices.Equal(got.neighbourhoods(), want.neighbourhoods()) {
		t.Errorf("%s: it draws\n%s\nwant %v", file, g.DOT(), want)
	}
}

func ones(dims ...int) *nd.Array { return nd.Ones(dims, dtype.Float32) }

// mlp is Linear, ReLU, Linear, ReLU, Linear.
type mlp struct{ units, classes int }

func (m mlp) Apply(s *nn.Scope, x *nd.Array) *nd.Array {
	h := ops.ReLU(link.Linear{OutSize: m.units}.Apply(s.Sub("l1"), x))
	h = ops.ReLU(link.Linear{OutSize: m.units}.Apply(s.Sub("l2"), h))
	return link.Linear{OutSize: m.classes}.Apply(s.Sub("l3"), h)
}

// TestChainersGraphs compares with graphs that Chainer has drawn.
func TestChainersGraphs(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(ones(2, 3))
	y, z := ops.Exp(x), ops.Sin(x)
	named := graph.Options{Names: map[*nd.Array]string{x: "x"}}
	compare(t, "graphs/exp_sin_both.json", graph.Build([]*nd.Array{y, z}, named))
	compare(t, "graphs/exp_sin_first.json", graph.Build([]*nd.Array{y}, named))
	named.RankDir = "LR"
	compare(t, "graphs/left_to_right.json", graph.Build([]*nd.Array{y, z}, named))
	compare(t, "graphs/plain_style.json", graph.Build([]*nd.Array{y, z}, graph.Options{
		VariableStyle: graph.Style{}, FunctionStyle: graph.Style{}, ShowName: new(false), Names: named.Names}))
	compare(t, "graphs/no_variables.json", graph.Build([]*nd.Array{ops.Add(ops.Tanh(ops.Exp(x)), ops.Exp(x))}, graph.Options{RemoveVariable: true}))

	a := tape.Watch(ones(2, 2))
	compare(t, "graphs/shared_input.json", graph.Build([]*nd.Array{ops.Sum(ops.Add(ops.Multiply(a, a), ops.Multiply(a, 2)))}))
	u := tape.Watch(ops.Exp(x).Detach())
	compare(t, "graphs/unchained.json", graph.Build([]*nd.Array{ops.Sin(ops.Tanh(u))}))
}

func TestChainersNetworks(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := ones(2, 3)
	y := mlp{4, 2}.Apply(nn.NewScope().Watch(tape), x)
	compare(t, "graphs/mlp.json", graph.Build([]*nd.Array{y}, graph.Options{
		Names:         map[*nd.Array]string{x: "x"},
		VariableStyle: graph.Style{"shape": "octagon"},
		FunctionStyle: graph.Style{"shape": "box"},
	}))

	labels := nd.FromSlice([]int32{0, 1, 2, 3, 0, 1})
	loss := link.Classifier{Predictor: mlp{8, 4}}.Loss(nn.NewScope().Watch(tape), []*nd.Array{ones(6, 6), labels}, nil)
	for _, run := range []string{"train_sgd", "train_adam", "train_momentum"} {
		compare(t, run+"/graph.json", graph.Build([]*nd.Array{loss}))
	}
}
