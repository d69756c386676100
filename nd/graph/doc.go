// Package graph draws what a tape has recorded, as text that Graphviz makes a picture of.
//
//	model := params.Watch(tape)
//	loss := lossOf(model, x, t)
//	g := graph.Build([]*nd.Array{loss}, graph.Options{Names: map[*nd.Array]string{x: "x", t: "t"}})
//	os.WriteFile("model.dot", []byte(g.DOT()), 0o644) // dot -Tpng model.dot -o model.png
//
// A picture has functions and variables, which are the arrays between them. What was recorded in a span (see grad.Tape.Span), such as by
// a layer of package nn/link, is drawn as one function. Parameters have the names that they have in their scope. A graph is built before
// its tape is reset, and needs it no more.
package graph
