package graph_test

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/graph"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
)

// lines writes a graph as its labels, and its edges as pairs of labels; functions are in brackets.
func lines(g *graph.Graph) []string {
	name := func(i int) string {
		if n := g.Nodes[i]; n.Function {
			return "[" + n.Label + "]"
		}
		return g.Nodes[i].Label
	}
	var all []string
	for _, e := range g.Edges {
		all = append(all, name(e.From)+" -> "+name(e.To))
	}
	slices.Sort(all)
	return all
}

func expect(t *testing.T, what string, g *graph.Graph, want ...string) {
	t.Helper()
	if got := lines(g); !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func Example() {
	tape := grad.NewTape()
	defer tape.Release()
	x := nd.FromSlice([]float32{1, 2, 3}, 1, 3)
	y := ops.ReLU(link.Linear{OutSize: 2}.Apply(nn.NewScope().Sub("l1").Watch(tape), x))
	g := graph.Build([]*nd.Array{y}, graph.Options{
		Names:         map[*nd.Array]string{x: "x", y: "y"},
		VariableStyle: graph.Style{},
		FunctionStyle: graph.Style{},
		Paths:         true,
	})
	fmt.Print(g.DOT())
	// Output:
	// digraph graphname {
	//   rankdir=TB;
	//   0 [label="Linear", shape="box"];
	//   1 [label="x: (1, 3), float32", shape="oval"];
	//   2 [label="l1/W: (2, 3), float32", shape="oval"];
	//   3 [label="l1/b: (2), float32", shape="oval"];
	//   4 [label="ReLU", shape="box"];
	//   5 [label="(1, 2), float32", shape="oval"];
	//   6 [label="y: (1, 2), float32", shape="oval"];
	//   1 -> 0;
	//   2 -> 0;
	//   3 -> 0;
	//   0 -> 5;
	//   5 -> 4;
	//   4 -> 6;
	// }
}

// TestSourcesAreToldApart: an unrecorded array is one variable wherever it is used, two views of it are two, and arrays
// that a span makes itself are not drawn.
func TestSourcesAreToldApart(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	w, c := tape.Watch(ones(2)), ones(4)
	left, right := c.Index(nd.Span(0, 2)), c.Index(nd.Span(2, 4))
	y := ops.Add(ops.Multiply(ops.Add(w, left), right), left)
	expect(t, "views", graph.Build([]*nd.Array{y}, graph.Options{RemoveVariable: true}), "[Add] -> [Multiply]", "[Multiply] -> [Add]")
	if g := graph.Build([]*nd.Array{y}); len(g.Nodes) != 3+3+1+2 || len(g.Edges) != 9 {
		t.Errorf("%d nodes and %d edges:\n%s", len(g.Nodes), len(g.Edges), g.DOT())
	}
	spanned := func(in ...*nd.Array) *graph.Graph {
		defer tape.Span("f", in...)()
		y := ops.Multiply(ops.Add(w, c.Index(nd.Span(0, 2))), ones(2).Index(nd.NewAxis()))
		return graph.Build([]*nd.Array{y}, graph.Options{Names: map[*nd.Array]string{w: "w", c: "c"}})
	}
	expect(t, "with its argument", spanned(c, w, nil), "[f] -> (1, 2), float32", "c: (4), float32 -> [f]", "w: (2), float32 -> [f]")
	expect(t, "without", spanned(), "(1, 2), float32 -> [f]", "[f] -> (1, 2), float32", "c: (2), float32 -> [f]", "w: (2), float32 -> [f]")
}

// TestDepth opens spans: by default the outermost span is one function; at greater depths the spans within it are
// drawn, framed, and at last all operations.
func TestDepth(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(ones(2))
	block := func(x *nd.Array) *nd.Array {
		defer tape.Span("block", x)()
		for range 2 {
			end := tape.Span("layer", x)
			x = ops.Exp(ops.Negative(x))
			end()
		}
		return ops.Sin(x)
	}
	y := ops.Cos(block(x))
	for depth, want := range map[int][]string{
		0:  {"[block] -> [Cos]"},
		1:  {"[block] -> [Cos]"},
		2:  {"[Sin] -> [Cos]", "[layer] -> [Sin]", "[layer] -> [layer]"},
		3:  {"[Exp] -> [Negative]", "[Exp] -> [Sin]", "[Negative] -> [Exp]", "[Negative] -> [Exp]", "[Sin] -> [Cos]"},
		-1: {"[Exp] -> [Negative]", "[Exp] -> [Sin]", "[Negative] -> [Exp]", "[Negative] -> [Exp]", "[Sin] -> [Cos]"},
	} {
		expect(t, fmt.Sprint("depth ", depth), graph.Build([]*nd.Array{y}, graph.Options{Depth: depth, RemoveVariable: true}), want...)
	}
	dot := graph.Build([]*nd.Array{y}, graph.Options{Depth: 3, RemoveVariable: true}).DOT()
	want := `digraph graphname {
  rankdir=TB;
  subgraph cluster_0 {
    label="block";
    subgraph cluster_1 {
      label="layer";
      0 [label="Negative", `
	if !strings.HasPrefix(dot, want) || strings.Count(dot, "subgraph") != 3 || strings.Count(dot, "}") != 4 {
		t.Errorf("it draws\n%s", dot)
	}
}

// TestSeveralResults: several results of one operation are separate variables, and unused results are not drawn.
func TestSeveralResults(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	parts := ops.Split(tape.Watch(ones(3)), 3)
	g := graph.Build([]*nd.Array{ops.Add(parts[0], parts[2]), parts[0], nd.Scalar(1)}, graph.Options{Names: map[*nd.Array]string{parts[2]: "last"}})
	expect(t, "two of three parts", g,
		"(1), float32 -> [Add]", "(3), float32 -> [Split]", "[Add] -> (1), float32", "[Split] -> (1), float32", "[Split] -> last: (1), float32",
		"last: (1), float32 -> [Add]")
	expect(t, "an array that no tape knows", graph.Build([]*nd.Array{ones(2)}))
	if g := graph.Build([]*nd.Array{ones(2)}); len(g.Nodes) != 1 || g.Nodes[0].Label != "(2), float32" {
		t.Errorf("nodes %v", g.Nodes)
	}
}

// TestNewDrawsWhatIsGiven: New escapes characters that are special in Graphviz, and refuses edges between nodes that do
// not exist.
func TestNewDrawsWhatIsGiven(t *testing.T) {
	nodes := []graph.Node{{Label: `x|"y"`}, {Label: `f{a|b}<"c">`, Function: true}, {Label: "z\n"}, {Label: "g", Function: true}}
	edges := []graph.Edge{{0, 1}, {1, 2}, {2, 3}, {0, 3}}
	g := graph.New(nodes, edges, graph.Options{RankDir: "LR"})
	dot := g.DOT()
	for _, want := range []string{"rankdir=LR;", `0 [label="x|\"y\""`, `1 [label="f\{a\|b\}\<\"c\"\>"`, `2 [label="z\n"`, "2 -> 3;"} {
		if !strings.Contains(dot, want) {
			t.Errorf("no %s in\n%s", want, dot)
		}
	}
	var b strings.Builder
	if n, err := g.WriteTo(&b); b.String() != dot || n != int64(len(dot)) || err != nil {
		t.Errorf("%d bytes, %v: %q", n, err, b.String())
	}
	expect(t, "functions", graph.New(nodes, edges, graph.Options{RemoveVariable: true}), `[f{a|b}<"c">] -> [g]`)
	if path, err := exec.LookPath("dot"); err == nil {
		command := exec.Command(path, "-Tdot")
		command.Stdin = strings.NewReader(dot)
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("Graphviz refuses it: %v\n%s", err, out)
		}
	}
	for what, f := range map[string]func(){
		"an edge to nowhere": func() { graph.New(nodes, []graph.Edge{{0, 4}}) },
		"no node":            func() { graph.New(nodes, []graph.Edge{{-1, 0}}) },
		"a direction":        func() { graph.Build([]*nd.Array{ones(2)}, graph.Options{RankDir: "UP"}) },
		"a nil output":       func() { graph.Build([]*nd.Array{nil}) },
		"a nil name":         func() { graph.Build(nil, graph.Options{Names: map[*nd.Array]string{nil: "x"}}) },
		"two options":        func() { graph.Build(nil, graph.Options{}, graph.Options{}) },
	} {
		if nd.Catch(f) == nil {
			t.Errorf("%s is not refused", what)
		}
	}
}
