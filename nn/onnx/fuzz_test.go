package onnx

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/model"
)

// FuzzExternal loads a tensor whose elements are in another file. Whatever the entries say, it has elements of a file in the model's
// folder or none, and no more memory than the files' sizes explain.
func FuzzExternal(f *testing.F) {
	dir := f.TempDir()
	folder := filepath.Join(dir, "model")
	secret, own := bytes.Repeat([]byte{0x7f, 'S', 0x11, 0x3f}, 64), bytes.Repeat([]byte{1}, 256)
	for path, data := range map[string][]byte{"secret.bin": secret, "model/own.bin": own, "model/below/own.bin": own} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			f.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link.bin": "../secret.bin", "up": "..", "round": "round", "inside.bin": "below/own.bin"} {
		if err := os.Symlink(to, filepath.Join(folder, link)); err != nil {
			f.Skip(err)
		}
	}
	for _, location := range []string{"own.bin", "below/own.bin", "inside.bin", "link.bin", "../secret.bin", "up/secret.bin", "below/../../secret.bin", "round",
		filepath.Join(dir, "secret.bin"), "file:///etc/passwd", "", ".", "own.bin\x00", "/dev/zero", "/proc/self/mem"} {
		f.Add(location, "0", "16", int64(4), int32(Float), false)
		f.Add(location, "", "", int64(1)<<40, int32(Float), true)
	}
	f.Add("own.bin", "-4", "16", int64(4), int32(Float), false)
	f.Add("own.bin", "9223372036854775807", "16", int64(4), int32(Float), false)
	f.Add("own.bin", "252", "9223372036854775800", int64(1)<<62, int32(Uint8), false)
	f.Add("own.bin", "0x10", "1e3", int64(-4), int32(String), false)
	f.Fuzz(func(t *testing.T, location, offset, length string, n int64, of int32, again bool) {
		tensor := func(name string) *tensorMessage {
			m := &tensorMessage{Name: name, DataType: ElementType(of), Dims: []int64{n}, DataLocation: 1, ExternalData: []*entryMessage{{Key: "location", Value: location}}}
			for _, e := range []*entryMessage{{Key: "offset", Value: offset}, {Key: "length", Value: length}} {
				if e.Value != "" {
					m.ExternalData = append(m.ExternalData, e)
				}
			}
			return m
		}
		g := &graphMessage{Output: []*valueMessage{value("w", ElementType(of))}, Initializer: []*tensorMessage{tensor("w")}}
		if again {
			g.Initializer = append(g.Initializer, tensor("v"))
		}
		path := filepath.Join(folder, "model.onnx")
		if err := os.WriteFile(path, file(t, g), 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := Load(path)
		if err != nil {
			return
		}
		var x *nd.Array
		if err := nd.Catch(func() { x = arrayIn(m.CallValues(nil)[0]) }); err != nil || x == nil || x.Size() == 0 {
			return
		}
		if x.Size() > 8*len(own) { // two elements a byte at most
			t.Fatalf("%d elements of a file of %d bytes", x.Size(), len(own))
		}
		for _, v := range nd.ToSlice[float64](x.Ravel().Index(nd.Until(min(x.Size(), 4)))) {
			if ElementType(of) == Float && v != float64(0x1.020202p-125) {
				t.Fatalf("%q: the element %v is not the file's", location, v)
			}
		}
	})
}

// graphReader makes a graph from bytes: nodes with names of a few values in any order, so that there are cycles, missing values and
// values with two makers, and graphs inside nodes, one inside the other.
type graphReader struct {
	data  []byte
	depth int // how many graphs are around
}

// mostNested is how many graphs of a graphReader are one inside the other: files that are nested more deeply are refused, and not written.
const mostNested = 8

func (r *graphReader) byte() int {
	if len(r.data) == 0 {
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return int(b)
}

func (r *graphReader) name() string {
	return []string{"x", "three", "yes", "a", "b", "c", "d", "", "none"}[r.byte()%9]
}

func (r *graphReader) names(n int) (all []string) {
	for range n {
		all = append(all, r.name())
	}
	return all
}

// graph reads a graph; a node is one of its operator, its inputs and its outputs.
func (r *graphReader) graph(inputs ...string) *graphMessage {
	r.depth++
	defer func() { r.depth-- }()
	g := &graphMessage{}
	for _, name := range inputs {
		g.Input = append(g.Input, value(name, Float))
	}
	for range r.byte() % 6 {
		var n *nodeMessage
		operator := r.byte() % 8
		if hasGraphs := operator >= 4 && operator <= 6; hasGraphs && r.depth == mostNested {
			operator = 0
		}
		switch operator {
		case 0:
			n = operation("Add", r.names(2), r.names(1))
		case 1:
			n = operation("Relu", r.names(1), r.names(1))
		case 2:
			n = operation("Identity", r.names(1), r.names(1))
		case 3:
			n = operation("Concat", r.names(2), r.names(1), intAttribute("axis", 0))
		case 4:
			n = operation("If", r.names(1), r.names(1+r.byte()%2), graphAttribute("then_branch", r.graph()), graphAttribute("else_branch", r.graph()))
		case 5:
			n = operation("Loop", []string{"three", "yes", r.name()}, r.names(1+r.byte()%2), graphAttribute("body", r.graph("i", "going", "s")))
		case 6:
			n = operation("Scan", []string{r.name(), "x"}, r.names(1+r.byte()%2), graphAttribute("body", r.graph("s", "v")), intAttribute("num_scan_inputs", 1))
		case 7:
			n = &nodeMessage{OpType: "F" + string(rune('0'+r.byte()%3)), Domain: "own", Input: r.names(1), Output: r.names(1)}
		}
		g.Node = append(g.Node, n)
	}
	for range 1 + r.byte()%3 {
		g.Output = append(g.Output, value(r.name(), Float))
	}
	return g
}

// nested returns a graph that has another one in a branch of a condition, again and again.
func nested(depth int, g *graphMessage) *graphMessage {
	for range depth {
		other := &graphMessage{Output: []*valueMessage{value("x1", Float)}, Node: []*nodeMessage{operation("Identity", []string{"x"}, []string{"x1"})}}
		g = &graphMessage{Node: []*nodeMessage{operation("If", []string{"yes"}, []string{"a"}, graphAttribute("then_branch", g), graphAttribute("else_branch", other))},
			Output: []*valueMessage{value("a", Float)}}
	}
	return g
}

// FuzzGraphs makes models of arbitrary graphs, some nested, and calls those that can be made: it ends with results or an error.
func FuzzGraphs(f *testing.F) {
	f.Add([]byte{2, 0, 0, 1, 3, 1, 3, 4, 0, 4}, uint16(0))
	f.Add([]byte{1, 0, 3, 4, 4, 1, 1, 4, 3}, uint16(9))                                // a cycle
	f.Add([]byte{1, 5, 0, 0, 3, 1, 0, 0, 8, 4, 2, 2, 8, 2, 0, 3}, uint16(3))           // a loop
	f.Add([]byte{1, 4, 2, 0, 3, 1, 1, 0, 3, 0, 3, 1, 2, 0, 4, 0, 4, 0, 3}, uint16(20)) // a condition, nested
	f.Add([]byte{2, 7, 0, 0, 3, 7, 1, 3, 4, 0, 4}, uint16(0))                          // functions
	f.Add([]byte{1, 6, 0, 0, 3, 1, 0, 0, 0, 4, 0, 4, 0, 3}, uint16(0))                 // a scan
	f.Fuzz(func(t *testing.T, data []byte, depth uint16) {
		const longest = 200
		r := &graphReader{data: data[:min(len(data), longest)]}
		inner := r.graph()
		g := nested(int(depth)%24, inner)
		g.Input = []*valueMessage{value("x", Float)}
		yes := &tensorMessage{Name: "yes", DataType: Bool, Int32Data: []int32{1}}
		g.Initializer = []*tensorMessage{integer64("three", nil, 3), yes}
		var functions []*functionMessage
		for k := range 3 {
			body := r.graph("x")
			functions = append(functions, &functionMessage{Name: "F" + string(rune('0'+k)), Domain: "own", Input: []string{"x"}, Output: []string{body.Output[0].Name},
				Node: body.Node, OpsetImport: []*opsetMessage{{Version: 17}, {Domain: "own", Version: 1}}})
		}
		start := time.Now()
		m, err := tryLoad(t, g, functions...)
		if err == nil {
			_ = nd.Catch(func() { m.CallValues(map[string]model.Value{"x": vector(1, 2)}) })
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Fatalf("%v", took)
		}
	})
}
