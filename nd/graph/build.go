package graph

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
)

// Build returns the graph of everything that outputs were computed from: the operations that their tapes have recorded,
// back to watched arrays and to unrecorded arrays, such as those that Detach returns.
//
// Functions are in the order in which they were recorded. A view is a function, too; a [nd.Scalar] is not a variable.
// Chainer: computational_graph.build_computational_graph.
func Build(outputs []*nd.Array, opts ...Options) *Graph {
	const fn nd.Func = "graph.Build"
	o := options.Read(fn, opts)
	o.check(fn)
	fn.Check(outputs...)
	b := &builder{o: o, indices: map[any]int{}, edges: map[Edge]bool{}, results: map[result]string{}, blocks: map[uint32]string{}}
	for x, name := range o.Names {
		fn.Check(x)
		if n, k := x.Node(); n != nil {
			b.results[result{n, k}] = name
		} else {
			b.blocks[x.BlockNumber()] = name
		}
	}
	for _, n := range reachable(outputs) {
		if n.Op != nil {
			b.operation(n)
		}
	}
	for _, y := range outputs {
		if n, k := y.Node(); n != nil {
			b.result(n, k)
		} else if !y.IsScalar() {
			b.array(y)
		}
	}
	return newGraph(fn, b.nodes, b.found, o)
}

// reachable returns the nodes from which outputs were computed, in the order in which they were recorded.
func reachable(outputs []*nd.Array) []*nd.Node {
	var all []*nd.Node
	seen := map[*nd.Node]bool{nil: true}
	find := func(n *nd.Node) {
		if !seen[n] {
			seen[n] = true
			all = append(all, n)
		}
	}
	for _, y := range outputs {
		n, _ := y.Node()
		find(n)
	}
	for k := 0; k < len(all); k++ {
		for i := range all[k].Inputs() {
			n, _ := all[k].Input(i)
			find(n)
		}
	}
	slices.SortStableFunc(all, func(a, b *nd.Node) int { return cmp.Compare(a.Seq, b.Seq) })
	return all
}

// builder makes nodes and edges, each once.
type builder struct {
	o       Options
	nodes   []Node
	indices map[any]int // index in nodes, by what a node stands for: an operation, a spanned, a result, or a source
	edges   map[Edge]bool
	found   []Edge            // the edges in order
	results map[result]string // names of recorded arrays
	blocks  map[uint32]string // names of other arrays, by their memory
}

// What nodes stand for, besides operations.
type (
	// spanned is a span that is drawn as one function.
	spanned struct {
		tape *grad.Tape
		id   int
	}
	// result is an array that an operation made, or that is watched.
	result struct {
		node *nd.Node
		k    int
	}
	// source is an unrecorded array.
	source struct {
		block  uint32
		offset int
		label  string
	}
)

// operation draws an operation, or the span that contains it, and its edges.
func (b *builder) operation(n *nd.Node) {
	to, span := b.function(n)
	made := false // the unrecorded arrays drawn are those with which the span was opened
	for _, s := range span {
		for _, x := range s.Inputs {
			made = true
			if known, _ := x.Node(); known == nil && !x.IsScalar() {
				b.edge(b.array(x), to)
			}
		}
		if made {
			break
		}
	}
	for i := range n.Inputs() {
		if from, k := n.Input(i); from != nil {
			if maker, _ := b.functionOf(from); maker != to {
				b.edge(b.result(from, k), to)
			}
		} else if block, offset := n.Source(i); block != 0 && !made {
			b.edge(b.source(block, offset, n.Shape(i), n.DType(i)), to)
		}
	}
}

// function returns the node of an operation, and the spans that are drawn as this node, the outermost first.
func (b *builder) function(n *nd.Node) (node int, together []grad.Span) {
	var spans []grad.Span
	tape, ok := n.Tape.(*grad.Tape)
	if ok {
		spans = tape.Spans(n)
	}
	name, key := shortName(n.Func), any(n)
	if d := b.o.Depth; d > 0 && len(spans) >= d {
		spans, together = spans[:d-1], spans[d-1:]
		name, key = together[0].Name, spanned{tape, together[0].ID}
	}
	var frames []Frame
	for _, s := range spans {
		frames = append(frames, Frame{s.ID, s.Name})
	}
	return b.indexOf(key, Node{Function: true, Label: name, Frames: frames}), together
}

// functionOf is function for an operation, and returns -1 for a watched array.
func (b *builder) functionOf(n *nd.Node) (int, []grad.Span) {
	if n.Op == nil {
		return -1, nil
	}
	return b.function(n)
}

// result returns the node of a result, with an edge from the function that made it.
func (b *builder) result(n *nd.Node, k int) int {
	name := b.results[result{n, k}]
	if name == "" && n.Op == nil {
		name = n.Name
		if !b.o.Paths {
			name = name[strings.LastIndexByte(name, '/')+1:]
		}
	}
	maker, _ := b.functionOf(n)
	v := Node{Label: b.label(name, n.OutShape(k), n.OutDType(k))}
	if maker >= 0 {
		v.Frames = b.nodes[maker].Frames
	}
	index := b.indexOf(result{n, k}, v)
	if maker >= 0 {
		b.edge(maker, index)
	}
	return index
}

// array returns the node of an unrecorded array.
func (b *builder) array(x *nd.Array) int {
	return b.source(x.BlockNumber(), x.Layout().Offset, x.Shape(), x.DType())
}

func (b *builder) source(block uint32, offset int, shape []int, dt dtype.DType) int {
	label := b.label(b.blocks[block], shape, dt)
	return b.indexOf(source{block, offset, label}, Node{Label: label})
}

// indexOf returns the index of the node for a key, and adds the node if it is missing.
func (b *builder) indexOf(key any, n Node) int {
	at, ok := b.indices[key]
	if !ok {
		at = len(b.nodes)
		b.indices[key] = at
		b.nodes = append(b.nodes, n)
	}
	return at
}

func (b *builder) edge(from, to int) {
	if e := (Edge{from, to}); !b.edges[e] {
		b.edges[e] = true
		b.found = append(b.found, e)
	}
}

// label writes "name: (2, 3), float32", without the parts that are missing.
func (b *builder) label(name string, shape []int, dt dtype.DType) string {
	text := dt.String()
	if len(shape) > 0 {
		var lengths []string
		for _, n := range shape {
			lengths = append(lengths, strconv.Itoa(n))
		}
		text = "(" + strings.Join(lengths, ", ") + "), " + text
	}
	if name == "" || b.o.ShowName != nil && !*b.o.ShowName {
		return text
	}
	return name + ": " + text
}

// shortName is a function's name without its package.
func shortName(fn nd.Func) string { return string(fn[strings.LastIndexByte(string(fn), '.')+1:]) }
