// Package graph draws what a tape has recorded, as text from which Graphviz makes a picture.
//
//	model := params.Watch(tape)
//	loss := lossOf(model, x, t)
//	g := graph.Build([]*nd.Array{loss}, graph.Options{Names: map[*nd.Array]string{x: "x", t: "t"}})
//	os.WriteFile("model.dot", []byte(g.DOT()), 0o644) // dot -Tpng model.dot -o model.png
//
// A picture contains functions and variables, which are the arrays between them. A span (see grad.Tape.Span), such as a
// layer of package nn/link, is drawn as one function. Parameters have the names that they have in their scope. Build a
// graph before its tape is reset; the graph does not need the tape later.
package graph
