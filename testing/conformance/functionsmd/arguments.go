package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/gonames"
)

// words finds identifiers.
var words = regexp.MustCompile(`[A-Za-z_0-9]+`)

// addedByRunner are arguments of rows that no document has.
var addedByRunner = []string{"is_train", "n_results", "updates"}

// unsaid returns the documented arguments of a row that a reader does not find in its calls: they are not among the
// arguments in order, and no variable, option or field has their name. The row's note may name them, too.
func unsaid(source string, row catalogue.Row, calls []gonames.Call) ([]string, error) {
	f, err := catalogue.Bind(&row)
	if err != nil || len(calls) == 0 {
		return nil, err
	}
	said := map[string]bool{}
	plain := func(word string) string { return strings.ToLower(strings.ReplaceAll(word, "_", "")) }
	note := func(list []string) {
		for _, word := range list {
			said[plain(word)] = true
		}
	}
	note(words.FindAllString(row.Note, -1))
	inOrder := 0
	for _, c := range calls {
		note(words.FindAllString(c.Text, -1))
		options, err := gonames.OptionsIn(source, c)
		if err != nil {
			return nil, err
		}
		note(options)
		inOrder = max(inOrder, c.InOrder)
	}
	var list []string
	position := 0
	for i := range f.Params {
		p := &f.Params[i]
		if p.Ignored() || p.IsView() || slices.Contains(addedByRunner, p.Name) {
			continue
		}
		if position++; position > inOrder && !said[plain(p.Name)] {
			list = append(list, p.Name)
		}
	}
	return list, nil
}

// otherForms says what a row's arguments are that the library has in another form: those that are not said, and those
// with an entry for this name alone. Arguments of the same form are together.
func otherForms(row catalogue.Row, unsaid []string) (texts []string) {
	f, err := catalogue.Bind(&row)
	if err != nil {
		return nil // unsaid reports it
	}
	var forms []string
	arguments := map[string][]string{}
	for i := range f.Params {
		name := f.Params[i].Name
		form, other := catalogue.OtherFormOf(row.Name(), name)
		if !other || !slices.Contains(unsaid, name) && form.Names != row.Name() {
			continue
		}
		if arguments[form.How] == nil {
			forms = append(forms, form.How)
		}
		arguments[form.How] = append(arguments[form.How], "`"+name+"`")
	}
	for _, form := range forms {
		texts = append(texts, strings.Join(arguments[form], ", ")+": "+form)
	}
	return texts
}
