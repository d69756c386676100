package graph

import (
	"cmp"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// Style holds the attributes with which Graphviz draws a node, such as "shape" and "fillcolor".
type Style map[string]string

// RankDir is a direction of the edges.
type RankDir string

const (
	TopToBottom RankDir = "TB" // from top to bottom
	BottomToTop RankDir = "BT" // from bottom to top
	LeftToRight RankDir = "LR" // from left to right
	RightToLeft RankDir = "RL" // from right to left
)

// Options are the options of [Build] and [New].
type Options struct {
	// VariableStyle is the style of variables; nil means gray octagons, an empty style plain ovals.
	VariableStyle Style
	// FunctionStyle is the style of functions; nil means blue records, an empty style plain boxes.
	FunctionStyle Style
	// RankDir is the direction of the edges; the default is TopToBottom.
	RankDir RankDir
	// RemoveVariable draws functions alone, with edges from function to function.
	RemoveVariable bool
	// ShowName shows names before the shapes and dtypes of variables; nil means true.
	ShowName *bool
	// Names are names of arrays, such as inputs and labels, recorded or not. Watched parameters of a scope already have
	// names.
	Names map[*nd.Array]string
	// Paths names parameters by their paths from the root of their scope, such as "l1/W", instead of by the last name
	// alone.
	Paths bool
	// Depth is the number of levels of nested spans. Spans of the last level are drawn as one function each, spans of
	// the levels above as frames. 0 means 1: outermost spans are functions. A negative Depth draws every operation.
	Depth int
}

// Graph is a picture: functions and variables, and edges between them. It has no cycles.
// Chainer: computational_graph.ComputationalGraph.
type Graph struct {
	Nodes []Node
	Edges []Edge // no two are equal

	o Options
}

// Node is a function or a variable (an array).
type Node struct {
	Function bool
	// Label is the function's name, or the name, shape and dtype of a variable, such as "x: (2, 3), float32".
	Label string
	// Frames are the frames that contain the node, the outermost first.
	Frames []Frame
}

// Frame surrounds the nodes of a span that is not itself drawn as one function.
type Frame struct {
	ID   int // of the span
	Name string
}

// Edge leads from one node to another; both are indices in Graph.Nodes.
type Edge struct{ From, To int }

// New returns a graph of nodes and edges that the caller has found, to be drawn with the options. It ignores the
// options Names, Paths and ShowName, which apply to Build.
func New(nodes []Node, edges []Edge, opts ...Options) *Graph {
	const fn nd.Func = "graph.New"
	return newGraph(fn, nodes, edges, options.Read(fn, opts))
}

func newGraph(fn nd.Func, nodes []Node, edges []Edge, o Options) *Graph {
	o.check(fn)
	for _, e := range edges {
		if min(e.From, e.To) < 0 || max(e.From, e.To) >= len(nodes) {
			panic(fn.Errorf(nil, "an edge from node %d to node %d of %d", e.From, e.To, len(nodes)))
		}
	}
	g := &Graph{Nodes: slices.Clone(nodes), Edges: slices.Clone(edges), o: o}
	if o.RemoveVariable {
		g = g.functions()
	}
	return g
}

// check fills in the defaults, and refuses an unknown direction.
func (o *Options) check(fn nd.Func) {
	o.RankDir = cmp.Or(o.RankDir, TopToBottom)
	if !slices.Contains([]RankDir{TopToBottom, BottomToTop, LeftToRight, RightToLeft}, o.RankDir) {
		panic(fn.Errorf(nil, "RankDir %q: want TB, BT, LR or RL", o.RankDir))
	}
	if o.VariableStyle == nil {
		o.VariableStyle = Style{"shape": "octagon", "fillcolor": "#E0E0E0", "style": "filled"}
	}
	if o.FunctionStyle == nil {
		o.FunctionStyle = Style{"shape": "record", "fillcolor": "#6495ED", "style": "filled"}
	}
	if o.Depth == 0 {
		o.Depth = 1
	}
}

// functions returns the graph without variables: an edge leads from a function to the functions that use its results.
func (g *Graph) functions() *Graph {
	index := make([]int, len(g.Nodes)) // index among the functions
	var kept []Node
	for i, n := range g.Nodes {
		index[i] = len(kept)
		if n.Function {
			kept = append(kept, n)
		}
	}
	takers := make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		takers[e.From] = append(takers[e.From], e.To)
	}
	f := &Graph{Nodes: kept, o: g.o}
	seen := map[Edge]bool{}
	for from, n := range g.Nodes {
		if !n.Function {
			continue
		}
		reached := slices.Clone(takers[from])
		for len(reached) > 0 {
			to := reached[0]
			reached = reached[1:]
			if !g.Nodes[to].Function {
				reached = append(reached, takers[to]...)
			} else if e := (Edge{index[from], index[to]}); !seen[e] {
				seen[e] = true
				f.Edges = append(f.Edges, e)
			}
		}
	}
	return f
}
