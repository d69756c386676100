package options_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	namesAxes = regexp.MustCompile(`^(axis|axes|Axis|Axes)$|(Axis|Axes)$`)
	// numbersOfAxes count axes, or say at which axis the channels begin.
	numbersOfAxes = regexp.MustCompile(`^(BaseAxis|NBatchAxes|DiagIndices/axes)$`)
	// texts are fields of options that hold any text: names, keys, formats.
	texts = []string{"Comments", "Delimiter", "Disable", "FileName", "Footer", "Format", "Formats", "Gradient", "Header", "InfStr", "Inputs", "Keys", "Layers", "Library", "Missing", "Model",
		"NaNStr", "Name", "Names", "Newline", "ObservationKey", "Order", "OutName", "Outputs", "Prefix", "ReduceType", "Root", "Separator", "Suffix", "Title", "X", "XKey", "Y"}
)

// TestTypesOfOptions reads the source of every package with options. Exported fields and parameters that name axes are of type
// ops.Axes, and fields of options that choose a mode are of a type with constants instead of plain strings.
func TestTypesOfOptions(t *testing.T) {
	axes := 0
	for _, folder := range []string{"nd", "nn"} {
		err := filepath.WalkDir(filepath.Join("../..", folder), func(file string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.Contains(file, "/internal/") {
				return err
			}
			set := token.NewFileSet()
			parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			check := func(owner string, fields *ast.FieldList, isStruct, options bool) {
				for _, f := range fields.List {
					for _, name := range f.Names {
						text := typeText(f.Type)
						if namesAxes.MatchString(name.Name) && (!isStruct || name.IsExported()) && !numbersOfAxes.MatchString(name.Name) && !numbersOfAxes.MatchString(owner+"/"+name.Name) {
							if axes++; strings.HasSuffix(text, "int") {
								t.Errorf("%s: %s of %s is of type %s, want ops.Axes", set.Position(f.Pos()), name, owner, text)
							}
						}
						if options && strings.HasSuffix(text, "string") && name.IsExported() && !slices.Contains(texts, name.Name) {
							t.Errorf("%s: %s of %s is of type %s, want a type with constants, or another name in texts", set.Position(f.Pos()), name, owner, text)
						}
					}
				}
			}
			for _, d := range parsed.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Name.IsExported() && d.Recv == nil && parsed.Name.Name != "nd" && parsed.Name.Name != "broadcast" && d.Name.Name != "Over" {
						check(d.Name.Name, d.Type.Params, false, false)
					}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() {
							if fields, ok := s.Type.(*ast.StructType); ok {
								check(s.Name.Name, fields.Fields, true, strings.HasSuffix(s.Name.Name, "Options"))
							}
						}
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if axes < 50 {
		t.Errorf("%d fields and parameters that name axes were found, want some dozens", axes)
	}
}

// typeText returns a type without the elements' package: []int, *int, string.
func typeText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return "*" + typeText(e.X)
	case *ast.ArrayType:
		return "[]" + typeText(e.Elt)
	case *ast.Ellipsis:
		return "..." + typeText(e.Elt)
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
