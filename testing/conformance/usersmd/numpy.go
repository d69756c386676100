package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// numpyGuide builds the guide for docs/numpy.md.
func (l *library) numpyGuide() (*guide, error) {
	g, err := l.newGuide("numpy", maps.Clone(numpyRemarks), numpyIdioms, numpyAbsent)
	if err != nil {
		return nil, err
	}
	g.python, g.synonyms = numpyName, g.otherNumPy
	for full, r := range numpyRemarks {
		method := strings.Replace(full, "numpy.", "numpy.ndarray.", 1)
		if _, own := numpyRemarks[method]; !own && slices.Contains(g.names.all, method) && !slices.Contains(attributes, method[len("numpy.ndarray."):]) {
			g.remarks[method] = r
		}
	}
	return g, nil
}

// otherNumPy lists names with the same meaning: other names of the object, and for a method the function.
func (g *guide) otherNumPy(full string) []string {
	list := g.sameObject(full)
	for _, part := range []string{"ndarray.", "linalg."} {
		if name, ok := strings.CutPrefix(full, "numpy."+part); ok {
			list = append(list, "numpy."+name)
			list = append(list, g.sameObject("numpy."+name)...)
		}
	}
	if name, ok := strings.CutPrefix(full, "numpy.random.Generator."); ok {
		list = append(list, "numpy.random."+name)
	}
	return list
}

// numpyDocument writes docs/numpy.md.
func (g *guide) numpyDocument(arrays publicNames) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(numpyIntroduction)
	g.writePhrases(&b, "NumPy", numpyTopics)
	b.WriteString("\n## Operators\n\nFor in-place operators (`x += y`) use the option `Out: x`.\n\n| NumPy | ndgrad |\n| --- | --- |\n")
	for _, o := range operators {
		row, ok := g.rows["cupy.ndarray.__"+o.method+"__"]
		if !ok {
			return nil, fmt.Errorf("the operator %s is not in the catalogue", o.symbol)
		}
		fmt.Fprintf(&b, "| %s | %s |\n", code("x "+o.symbol+" y"), code(g.catalogue[row.Signature][0]+"(x, y)"))
	}
	b.WriteString("| `-x, abs(x), ~x` | `ops.Negative(x), ops.Absolute(x), ops.Invert(x)` |\n")
	entries, err := g.entries(g.numpyNames())
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		return cmp.Compare(strings.ToLower(a.python), strings.ToLower(b.python))
	})
	for rank, title := range sections {
		writeEntries(&b, title, slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return sectionRank(e.full) != rank }))
	}
	if err := g.writeArrayAPI(&b, arrays); err != nil {
		return nil, err
	}
	g.writeAbsent(&b)
	b.WriteString(numpyDifferences)
	return b.Bytes(), nil
}

// writeArrayAPI lists the names of the array API standard that have another name in NumPy, and the missing ones.
func (g *guide) writeArrayAPI(b *bytes.Buffer, arrays publicNames) error {
	var missing []string
	var table bytes.Buffer
	for _, full := range arrays.all {
		name := strings.TrimPrefix(full, "array_api.")
		a, found, err := g.answer("numpy." + name)
		if err != nil {
			return err
		}
		if !found {
			missing = append(missing, code("xp."+name))
			continue
		}
		var others []string
		for _, other := range g.sameObject("numpy." + name) {
			others = append(others, g.python(other))
		}
		if others != nil {
			fmt.Fprintf(&table, "| %s | %s | %s |\n", code("xp."+name), code(strings.Join(others, "`, `")), code(a.call))
		}
	}
	fmt.Fprintf(b, "\n## The array API\n\nThe %d functions of the %s, are functions of NumPy 2 with the same names.\n", len(arrays.all), arrays.of)
	if missing != nil {
		fmt.Fprintf(b, "The tables above list them, except %s (see below).\n", strings.Join(missing, ", "))
	} else {
		b.WriteString("The tables above list them.\n")
	}
	fmt.Fprintf(b, "NumPy has another name for these, too:\n\n| array API | NumPy | ndgrad |\n| --- | --- | --- |\n%s", table.String())
	return nil
}

// numpyNames returns the public names, followed by further names from doc comments and from the catalogue.
func (g *guide) numpyNames() []string {
	names := slices.Clone(g.names.all)
	seen := map[string]bool{}
	for _, name := range names {
		seen[name] = true
	}
	var more []string
	for name := range g.words {
		if strings.HasPrefix(name, "numpy.") && !seen[name] {
			seen[name] = true
			more = append(more, name)
		}
	}
	for name := range g.rows {
		if !strings.HasPrefix(name, "cupy.") && !strings.HasPrefix(name, "numpy.") || notNumPy[name] || strings.Contains(name, "ndarray.__") {
			continue
		}
		if numpyName(name) != name {
			name = strings.Replace(name, "cupy.", "numpy.", 1)
		}
		if !seen[name] {
			seen[name] = true
			more = append(more, name)
		}
	}
	slices.Sort(more)
	return append(names, more...)
}

// notNumPy lists rows under NumPy's name that are of no use to a NumPy user: the phrases cover them, or only the
// recorded cases need them.
var notNumPy = map[string]bool{
	"numpy.ufunc.outer": true, "numpy.ufunc.reduce": true, "numpy.ufunc.accumulate": true, "numpy.ufunc.reduceat": true,
	"numpy.view_chain": true, "numpy.scalar_str": true, "cupy.testing.shaped_arange": true, "cupy.ufunc": true,
	"cupy.random.RandomState.interval": true,
}

// cupyOnly are functions that NumPy does not have.
var cupyOnly = map[string]bool{
	"cupy.asnumpy": true, "cupy.scatter_add": true, "cupy.ElementwiseKernel": true, "cupy.ReductionKernel": true,
}

// attributes lists the array attributes, which are written without parentheses.
var attributes = strings.Fields("T base ctypes data device dtype flags flat imag itemsize mT nbytes ndim real shape size strides")

// numpyName returns a name as NumPy users write it: np.sum, x.astype(), rng.normal(), cupy.scatter_add.
func numpyName(full string) string {
	if cupyOnly[full] || strings.HasPrefix(full, "cupy.testing.") || strings.HasPrefix(full, "cupy.cuda.") {
		return full
	}
	_, name, _ := strings.Cut(full, ".")
	if method, ok := strings.CutPrefix(name, "random.Generator."); ok {
		return "rng." + method + "()"
	}
	if attribute, ok := strings.CutPrefix(name, "ndarray."); ok {
		if slices.Contains(attributes, attribute) {
			return "x." + attribute
		}
		return "x." + attribute + "()"
	}
	return "np." + name
}

// sections are the titles of the function tables, in order.
var sections = []string{"Functions", "Methods and attributes", "np.linalg", "np.fft", "np.random.Generator", "np.random", "CuPy's own", "cupy.testing"}

func sectionRank(full string) int {
	python := numpyName(full)
	for _, s := range []struct {
		prefix string
		rank   int
	}{{"np.linalg.", 2}, {"np.fft.", 3}, {"np.random.", 5}, {"np.", 0}, {"x.", 1}, {"rng.", 4}, {"cupy.testing.", 7}} {
		if strings.HasPrefix(python, s.prefix) {
			return s.rank
		}
	}
	return 6
}

// operators lists Python's binary operators in the order of the table. An in-place operator writes to its first
// operand.
var operators = []struct{ method, symbol string }{
	{"add", "+"}, {"sub", "-"}, {"mul", "*"}, {"truediv", "/"}, {"floordiv", "//"}, {"mod", "%"}, {"pow", "**"},
	{"and", "&"}, {"or", "|"}, {"xor", "^"}, {"lshift", "<<"}, {"rshift", ">>"},
	{"eq", "=="}, {"ne", "!="}, {"lt", "<"}, {"le", "<="}, {"gt", ">"}, {"ge", ">="},
}
