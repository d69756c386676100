package main

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/gonames"
)

// answer describes the equivalent of a name of another system: its call, the fields of its options, and what differs.
type answer struct{ call, options, remark string }

// remark adds to a name what neither the catalogue nor the doc comments say: the call, empty if it is found there, and
// what differs. A name without parentheses, such as ops.Split or Array.Reshape, stands for a call of that function.
type remark struct{ call, text string }

// absence lists names, separated by spaces, that have no equivalent, and says what to use instead.
type absence struct{ names, replacement string }

// entry is a row of a table.
type entry struct {
	full   string // "numpy.sum"
	python string // as its users write it: "np.sum"; followed by other names of the same object
	answer
}

// library is the source of the documents: the functions, the names in their doc comments, and the catalogue.
type library struct {
	*declarations
	words     map[string][]mention
	catalogue map[string][]string // the functions of a row, by its signature
	rows      map[string]catalogue.Row
	bodies    map[string]string // bodies of phrases, by the Python text of the phrase
}

func readLibrary(root string) (*library, error) {
	d, err := readDeclarations(filepath.Join(root, "nd"), filepath.Join(root, "nn"), filepath.Join(root, "testing", "assert"))
	if err != nil {
		return nil, err
	}
	d.catalog = filepath.Join(root, "testing", "conformance", "catalogue")
	functions, err := gonames.Functions(d.catalog)
	if err != nil {
		return nil, err
	}
	bodies, err := phraseTexts(filepath.Join(root, "testing", "conformance", "usersmd"))
	if err != nil {
		return nil, err
	}
	words, err := mentionsIn(d.functions)
	if err != nil {
		return nil, err
	}
	l := &library{declarations: d, words: words, catalogue: functions, rows: map[string]catalogue.Row{}, bodies: bodies}
	for _, row := range catalogue.Rows() {
		l.rows[row.Name()] = row
	}
	return l, nil
}

// guide builds the document for the users of one system.
type guide struct {
	*library
	names    publicNames
	remarks  map[string]remark // by full names
	idioms   map[string]answer // names that another expression replaces
	absent   map[string]string // what to use instead
	groups   []absence
	python   func(full string) string
	fallback *guide // guide of the system whose names answer if this one's do not

	// synonyms lists names with the same meaning, in this system or another one. They answer for a name that has no
	// answer of its own.
	synonyms func(full string) []string
}

func (l *library) newGuide(system string, remarks map[string]remark, idioms []phrase, groups []absence) (*guide, error) {
	names, err := readNames(system)
	if err != nil {
		return nil, err
	}
	g := &guide{library: l, names: names, remarks: remarks, groups: groups, idioms: map[string]answer{}, absent: map[string]string{}}
	for _, p := range idioms {
		for _, name := range strings.Fields(p.python) {
			g.idioms[name] = answer{call: l.bodies[p.python], remark: p.remark}
		}
	}
	for _, group := range groups {
		for _, name := range strings.Fields(group.names) {
			g.absent[name] = group.replacement
		}
	}
	return g, nil
}

// answer returns the equivalent of a name: its own, or else that of a name with the same meaning.
func (g *guide) answer(full string) (a answer, found bool, err error) {
	a, found, err = g.ownAnswer(full)
	if found || err != nil {
		return a, found, err
	}
	for _, other := range g.synonyms(full) {
		var b answer
		if system, _, _ := strings.Cut(full, "."); strings.HasPrefix(other, system) {
			b, found, err = g.ownAnswer(other)
		} else {
			b, found, err = g.fallback.answer(other)
			b.remark = "" // it concerns the other system
		}
		if found || err != nil {
			return answer{b.call, b.options, cmp.Or(a.remark, b.remark)}, found, err
		}
	}
	return a, false, nil
}

// ownAnswer returns a name's own answer.
func (g *guide) ownAnswer(full string) (a answer, found bool, err error) {
	a, found = g.read(full)
	if r, ok := g.remarks[full]; ok {
		a.remark = cmp.Or(r.text, a.remark)
		if r.call != "" {
			if a.call, err = g.expandCalls(r.call); err != nil {
				return a, false, fmt.Errorf("the remark on %s: %w", full, err)
			}
			a.options, found = g.optionsText(a.call), true
		}
	}
	if idiom, ok := g.idioms[full]; ok && !found {
		return idiom, true, nil
	}
	if t, err := dtype.Parse(strings.TrimPrefix(full, "numpy.")); err == nil && !found && slices.Contains(g.names.all, full) {
		name := t.String()
		return answer{call: "dtype." + strings.ToUpper(name[:1]) + name[1:]}, true, nil
	}
	return a, found, nil
}

// read returns what the doc comments, or else the catalogue, say of a name.
func (g *guide) read(full string) (answer, bool) {
	a, found := g.ofWords(g.words[full])
	row, ok := g.rows[full]
	if !ok {
		row, ok = g.rows[strings.Replace(full, "numpy.", "cupy.", 1)]
	}
	if !ok {
		return a, found
	}
	if !slices.ContainsFunc(g.words[full], func(w mention) bool { return w.qualifier == "" }) {
		a = answer{call: g.written(row.Name())}
		if a.call == "" {
			a.call = g.calls(full, g.catalogue[row.Signature])
		}
		a.options = g.optionsText(a.call)
	}
	a.remark = cmp.Or(a.remark, row.Note)
	return a, true
}

// written returns the expressions of a row that are written by hand, or nothing. The array of a method is x, as
// elsewhere in the document.
func (g *guide) written(name string) string {
	calls, err := gonames.Written(g.catalog, name)
	if err != nil {
		return "" // functionsmd reports it
	}
	var parts []string
	for _, c := range calls {
		text := c.Text
		if strings.HasPrefix(name, "cupy.ndarray.") {
			text = receiver.ReplaceAllString(text, "x")
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

var receiver = regexp.MustCompile(`\bself\b`)

// entries returns the rows of names; all names of one object share a row.
func (g *guide) entries(names []string) ([]entry, error) {
	var all []entry
	line := map[string]int{}
	for _, full := range names {
		if excluded(full) != nil {
			continue
		}
		a, found, err := g.answer(full)
		if err != nil {
			return nil, err
		}
		if !found {
			continue
		}
		target := cmp.Or(g.names.alias[full], full)
		if at, ok := line[target]; ok {
			all[at].python += "`, `" + g.python(full)
			continue
		}
		line[target] = len(all)
		all = append(all, entry{full, g.python(full), a})
	}
	return all, nil
}

// writeEntries writes a table of names.
func writeEntries(b *bytes.Buffer, title string, entries []entry) {
	if len(entries) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n| name | ndgrad | options | |\n| --- | --- | --- | --- |\n", title)
	for _, e := range entries {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", code(e.python), code(e.call), e.options, e.remark)
	}
}

// writePhrases writes the tables of phrases.
func (l *library) writePhrases(b *bytes.Buffer, system string, topics []topic) {
	for _, t := range topics {
		fmt.Fprintf(b, "\n## %s\n\n| %s | ndgrad | |\n| --- | --- | --- |\n", t.title, system)
		for _, p := range t.phrases {
			fmt.Fprintf(b, "| %s | %s | %s |\n", code(p.python), code(l.bodies[p.python]), p.remark)
		}
	}
}

// writeAbsent writes the names without an equivalent, and the names that the document leaves out.
func (g *guide) writeAbsent(b *bytes.Buffer) {
	b.WriteString("\n## Names without an equivalent\n\n| name | instead |\n| --- | --- |\n")
	for _, group := range g.groups {
		var list []string
		for _, name := range strings.Fields(group.names) {
			if _, found, err := g.answer(name); !found && err == nil {
				list = append(list, code(g.python(name)))
			}
		}
		if len(list) > 0 {
			fmt.Fprintf(b, "| %s | %s |\n", strings.Join(list, ", "), group.replacement)
		}
	}
	fmt.Fprintf(b, "\nThese tables list every public name of %s", g.names.of)
	out := map[*exclusion][]string{}
	for _, name := range g.names.all {
		if e := excluded(name); e != nil {
			out[e] = append(out[e], code(g.python(name)))
		}
	}
	if len(out) == 0 {
		b.WriteString(".\n")
		return
	}
	b.WriteString(", except:\n\n")
	for i := range exclusions {
		if list := out[&exclusions[i]]; list != nil {
			more := ""
			if len(list) > 3 {
				more = fmt.Sprintf(" and %d more", len(list)-3)
			}
			fmt.Fprintf(b, "- %s: %s%s.\n", exclusions[i].reason, strings.Join(list[:min(len(list), 3)], ", "), more)
		}
	}
}

// code formats text as code in a table and escapes bars, which would end the cell.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}

// calls returns the calls of the functions that a name has in the catalogue; if one function has the same name, only
// its call.
func (d *declarations) calls(full string, names []string) string {
	plain := func(s string) string {
		return strings.ToLower(strings.ReplaceAll(s[strings.LastIndexByte(s, '.')+1:], "_", ""))
	}
	for _, name := range names {
		if plain(name) == plain(full) {
			names = []string{name}
			break
		}
	}
	if len(names) > 0 && strings.HasPrefix(names[0], "assert.") {
		names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !strings.HasPrefix(name, "assert.") })
	}
	var parts []string
	for _, name := range names[:min(len(names), 2)] {
		parts = append(parts, d.call(name))
	}
	return strings.Join(parts, ", ")
}
