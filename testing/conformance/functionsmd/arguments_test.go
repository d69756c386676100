package main

import (
	"path/filepath"
	"testing"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/gonames"
)

// TestEveryArgumentIsSaid fails for a documented argument that a reader of its row does not find, neither in the
// expressions nor in the remark, and for an entry of the table of other forms that no row needs.
func TestEveryArgumentIsSaid(t *testing.T) {
	source := filepath.Join("..", "catalogue")
	names, err := gonames.Functions(source)
	if err != nil {
		t.Fatal(err)
	}
	options, err := gonames.OptionsOf(source)
	if err != nil {
		t.Fatal(err)
	}
	needed := map[catalogue.OtherForm]bool{}
	for _, row := range catalogue.Rows() {
		name := row.Name()
		if !isListed(name) {
			continue
		}
		calls, err := callsOf(source, name, names[row.Signature], options[row.Signature], row.Renames)
		if err != nil {
			t.Fatal(err)
		}
		list, err := unsaid(source, row, calls)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, argument := range list {
			form, ok := catalogue.OtherFormOf(name, argument)
			if needed[form] = true; !ok {
				t.Errorf("%s: nothing says what the argument %s is here", row.Signature, argument)
			}
		}
		for _, form := range catalogue.OtherForms() { // where the same name has another meaning
			needed[form] = needed[form] || form.Names == name
		}
	}
	for _, form := range catalogue.OtherForms() {
		if !needed[form] {
			t.Errorf("no row needs the entry %v", form)
		}
	}
}

func TestOtherForms(t *testing.T) {
	row := catalogue.Row{Signature: "mxnet.npx.quantized_act(data, min_data, max_data, act_type)", Func: func(data, low, high, kind string) {}}
	got := otherForms(row, []string{"min_data", "max_data"})
	if len(got) != 2 || got[0][:len("`min_data`, `max_data`: ")] != "`min_data`, `max_data`: " || got[1][:len("`act_type`: relu")] != "`act_type`: relu" {
		t.Errorf("forms %q", got)
	}
}
