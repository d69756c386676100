package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// torchGuide builds the guide for docs/torch.md. A torch name without an answer has that of the same NumPy name.
func (l *library) torchGuide(numpy *guide) (*guide, error) {
	g, err := l.newGuide("torch", torchRemarks, torchIdioms, torchAbsent)
	if err != nil {
		return nil, err
	}
	g.python, g.synonyms, g.fallback = torchName, g.otherTorch, numpy
	return g, nil
}

// otherTorch lists names with the same meaning: other names of the object, the function of an in-place name, the same
// name in the main modules, and NumPy's.
func (g *guide) otherTorch(full string) []string {
	names := []string{full}
	if base, ok := strings.CutSuffix(full, "_"); ok {
		names = append(names, base)
	}
	var list []string
	for _, name := range names {
		list = append(list, name)
		list = append(list, g.sameObject(name)...)
		last := name[strings.LastIndexByte(name, '.')+1:]
		for _, module := range []string{"torch.", "torch.nn.functional.", "torch.special.", "torch.linalg."} {
			list = append(list, module+last)
		}
	}
	for _, name := range names {
		within := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(name, "torch."), "special."), "nn.functional.")
		last := within[strings.LastIndexByte(within, '.')+1:]
		list = append(list, "numpy."+within, "numpy."+last, "numpy.linalg."+last)
	}
	return slices.DeleteFunc(list, func(name string) bool { return name == full })
}

// torchSections are the function tables by module.
var torchSections = []struct{ title, prefix string }{
	{"torch.nn.functional (F)", "torch.nn.functional."},
	{"torch.linalg", "torch.linalg."},
	{"torch.fft", "torch.fft."},
	{"torch.special", "torch.special."},
	{"torch", "torch."},
}

func torchSection(full string) int {
	return slices.IndexFunc(torchSections, func(s struct{ title, prefix string }) bool { return strings.HasPrefix(full, s.prefix) })
}

// torchName returns a name as torch users write it: torch.sum, F.relu.
func torchName(full string) string {
	if name, ok := strings.CutPrefix(full, "torch.nn.functional."); ok {
		return "F." + name
	}
	return full
}

// torchDocument writes docs/torch.md.
func (g *guide) torchDocument() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(torchIntroduction)
	g.writePhrases(&b, "torch", torchTopics)
	var names, inPlace []string
	for _, full := range g.names.all {
		if strings.HasSuffix(full, "_") && !g.hasOwnAnswer(full) {
			inPlace = append(inPlace, full)
		} else {
			names = append(names, full)
		}
	}
	var more []string
	for name := range g.words {
		if strings.HasPrefix(name, "torch.") && !slices.Contains(names, name) {
			more = append(more, name)
		}
	}
	slices.Sort(more)
	entries, err := g.entries(append(names, more...))
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.full, b.full) })
	order := []int{4, 0, 1, 2, 3}
	for _, section := range order {
		writeEntries(&b, torchSections[section].title, slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return torchSection(e.full) != section }))
	}
	if err := g.writeInPlace(&b, inPlace); err != nil {
		return nil, err
	}
	g.writeAbsent(&b)
	return b.Bytes(), nil
}

// hasOwnAnswer reports whether exactly this name has an answer or is listed as absent.
func (g *guide) hasOwnAnswer(full string) bool {
	_, found, _ := g.ownAnswer(full)
	return found || g.absent[full] != ""
}

// writeInPlace writes how to call the functions that write to their argument, whose names end with _.
func (g *guide) writeInPlace(b *bytes.Buffer, names []string) error {
	var withOut, without []string
	for _, full := range names {
		if excluded(full) != nil {
			continue
		}
		a, found, err := g.answer(full)
		switch {
		case err != nil:
			return err
		case !found:
		case slices.Contains(strings.Split(a.options, ", "), "Out"):
			withOut = append(withOut, code(g.python(full)))
		default:
			without = append(without, code(g.python(full)))
		}
	}
	fmt.Fprintf(b, "\n## In place\n\nThese are the functions without the final `_`, called with the option `Out: x`:\n%s.\n", strings.Join(withOut, ", "))
	fmt.Fprintf(b, "\nThese functions have no such option; `x.Assign(y)` writes their result to x:\n%s.\n", strings.Join(without, ", "))
	return nil
}
