package main

import (
	"cmp"
	"go/ast"
	"regexp"
	"slices"
	"strings"
)

// word is a function whose doc comment names its equivalent in another system: "numpy.take.", or with a qualifier that
// restricts the case: "numpy.where with one argument".
type word struct{ function, qualifier string }

var (
	namePattern = regexp.MustCompile(`\b(numpy|torch|array_api)(\.[A-Za-z_]\w*)+`)
	qualifying  = regexp.MustCompile(`^ (with|of|for|in) [^.,;:)]+`)
)

// wordsOf collects the names of other systems in the doc comments, each with the functions that name it.
func wordsOf(functions map[string]*ast.FuncDecl) map[string][]word {
	words := map[string][]word{}
	for function, decl := range functions {
		text := strings.Join(strings.Fields(decl.Doc.Text()), " ")
		for _, at := range namePattern.FindAllStringIndex(text, -1) {
			name := text[at[0]:at[1]]
			qualifier := strings.TrimSpace(qualifying.FindString(text[at[1]:]))
			qualifier, _, _ = strings.Cut(qualifier, " and "+name[:strings.IndexByte(name, '.')+1])
			words[name] = append(words[name], word{function, qualifier})
		}
	}
	for _, list := range words {
		slices.SortFunc(list, func(a, b word) int {
			return cmp.Or(cmp.Compare(a.qualifier, b.qualifier), cmp.Compare(a.function, b.function))
		})
	}
	return words
}

// ofWords builds the answer from the functions that name a name. Functions without a qualifier become the call, the
// others become remarks; if all have a qualifier, the first one becomes the call.
func (d *declarations) ofWords(words []word) (answer, bool) {
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
