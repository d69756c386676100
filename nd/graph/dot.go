package graph

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// DOT returns the graph in Graphviz's language. Equal graphs give equal texts.
// Chainer: computational_graph.ComputationalGraph.dump.
func (g *Graph) DOT() string {
	var b strings.Builder
	b.WriteString("digraph graphname {\n  rankdir=" + string(g.o.RankDir) + ";\n")
	indices := make([]int, len(g.Nodes))
	for i := range indices {
		indices[i] = i
	}
	g.write(&b, indices, 0)
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "  %d -> %d;\n", e.From, e.To)
	}
	b.WriteString("}\n")
	return b.String()
}

// WriteTo writes the text that DOT returns.
func (g *Graph) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, g.DOT())
	return int64(n), err
}

// write writes nodes; depth frames are open. It writes the nodes of a frame within that frame.
func (g *Graph) write(b *strings.Builder, indices []int, depth int) {
	indent := strings.Repeat("  ", depth+1)
	framed := map[Frame][]int{}
	for _, i := range indices {
		if frames := g.Nodes[i].Frames; len(frames) > depth {
			framed[frames[depth]] = append(framed[frames[depth]], i)
		}
	}
	for _, i := range indices {
		frames := g.Nodes[i].Frames
		if len(frames) == depth {
			b.WriteString(indent + strconv.Itoa(i) + g.attributes(&g.Nodes[i]) + ";\n")
		} else if inside := framed[frames[depth]]; inside[0] == i {
			fmt.Fprintf(b, "%ssubgraph cluster_%d {\n%s  label=%s;\n", indent, frames[depth].ID, indent, quoted(frames[depth].Name))
			g.write(b, inside, depth+1)
			b.WriteString(indent + "}\n")
		}
	}
}

// attributes returns the attributes of a node, in brackets.
func (g *Graph) attributes(n *Node) string {
	style, plain := g.o.VariableStyle, "oval"
	if n.Function {
		style, plain = g.o.FunctionStyle, "box"
	}
	shape, shaped := style["shape"]
	label := n.Label
	if strings.Contains(strings.ToLower(shape), "record") {
		label = recordText.Replace(label)
	}
	parts := []string{"label=" + quoted(label)}
	if !shaped {
		parts = append(parts, "shape="+quoted(plain))
	}
	for _, key := range slices.Sorted(maps.Keys(style)) {
		parts = append(parts, key+"="+quoted(style[key]))
	}
	return " [" + strings.Join(parts, ", ") + "]"
}

// recordText escapes the special characters in the label of a record.
var recordText = strings.NewReplacer("\\", "\\\\", "{", "\\{", "}", "\\}", "|", "\\|", "<", "\\<", ">", "\\>")

// quoted writes a text as a string of Graphviz's language.
func quoted(s string) string { return `"` + quotes.Replace(s) + `"` }

var quotes = strings.NewReplacer(`"`, `\"`, "\n", `\n`)
