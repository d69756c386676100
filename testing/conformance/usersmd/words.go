package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"strings"
)

// mention is a function whose doc comment names what it answers to, in the last line: "NumPy: take. PyTorch: take (of one axis)." The
// qualifier in parentheses says which case of the name it is.
type mention struct{ function, qualifier string }

var (
	systemPattern = regexp.MustCompile(`(?:^|\. )(NumPy|Array API|CuPy|PyTorch|NNabla|Chainer|MXNet): `)
	namePattern   = regexp.MustCompile(`^([A-Za-z_][\w.]*)(?: \((.+)\))?$`)
	roots         = map[string]string{"NumPy": "numpy.", "PyTorch": "torch.", "Array API": "array_api."}
)

// mentionsIn collects the names of other systems in the last lines of doc comments, each with the functions that say them.
func mentionsIn(functions map[string]*ast.FuncDecl) (map[string][]mention, error) {
	words := map[string][]mention{}
	for function, decl := range functions {
		line := namesLine(decl.Doc.Text())
		starts := systemPattern.FindAllStringSubmatchIndex(line, -1)
		for k, at := range starts {
			end := len(line)
			if k+1 < len(starts) {
				end = starts[k+1][0] + 1 // with the full stop
			}
			system, list := line[at[2]:at[3]], line[at[1]:end]
			root := roots[system]
			if root == "" {
				continue // the catalogue has the names of the other systems
			}
			for _, entry := range splitNames(strings.TrimSuffix(list, ".")) {
				parts := namePattern.FindStringSubmatch(entry)
				if parts == nil {
					return nil, fmt.Errorf("%s: %s: %q is no name, or a name with its case in parentheses", function, system, entry)
				}
				words[root+parts[1]] = append(words[root+parts[1]], mention{function, parts[2]})
			}
		}
	}
	for _, list := range words {
		slices.SortFunc(list, func(a, b mention) int {
			return cmp.Or(cmp.Compare(a.qualifier, b.qualifier), cmp.Compare(a.function, b.function))
		})
	}
	return words, nil
}

// namesLine is the last line of a doc comment that lists names, in one line even where it was wrapped; "" if there is none.
func namesLine(doc string) string {
	lines := strings.Split(strings.TrimSpace(doc), "\n")
	for k, line := range lines {
		if at := systemPattern.FindStringIndex(line); at != nil && at[0] == 0 {
			return strings.Join(strings.Fields(strings.Join(lines[k:], " ")), " ")
		}
	}
	return ""
}

// splitNames splits a list at its commas, but for those in parentheses.
func splitNames(list string) []string {
	var names []string
	depth, from := 0, 0
	for k, c := range list {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			names = append(names, strings.TrimSpace(list[from:k]))
			from = k + 1
		}
	}
	return append(names, strings.TrimSpace(list[from:]))
}

// ofWords builds the answer from the functions that name a name. Functions without a qualifier become the call, the
// others become remarks; if all have a qualifier, the first one becomes the call.
func (d *declarations) ofWords(words []mention) (answer, bool) {
	if len(words) == 0 {
		return answer{}, false
	}
	var a answer
	var calls, remarks []string
	for _, w := range words {
		call := d.call(w.function)
		switch {
		case w.qualifier == "" && !slices.Contains(calls, call):
			calls = append(calls, call)
		case w.qualifier != "" && len(calls) == 0:
			calls = append(calls, call)
			remarks = append(remarks, w.qualifier)
		case w.qualifier != "":
			remarks = append(remarks, w.qualifier+": `"+call+"`")
		}
	}
	a.call, a.remark = strings.Join(calls, ", "), strings.Join(remarks, "; ")
	a.options = d.optionsText(a.call)
	return a, true
}
