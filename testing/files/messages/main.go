// Messages prints the structs with tags pb:"…" in a folder of Go files, as JSON: for each struct its fields, with the Go name, the Go
// type and the tag. messages.py compares them with the definitions that other projects publish.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// field is a field with a tag.
type field struct{ Name, Type, Tag string }

func main() {
	all := map[string][]field{}
	for _, folder := range os.Args[1:] {
		if err := read(folder, all); err != nil {
			fmt.Fprintln(os.Stderr, "messages:", err)
			os.Exit(1)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		fmt.Fprintln(os.Stderr, "messages:", err)
		os.Exit(1)
	}
}

// read adds the structs of a folder.
func read(folder string, all map[string][]field) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, isType := n.(*ast.TypeSpec)
			if !isType {
				return true
			}
			if s, isStruct := spec.Type.(*ast.StructType); isStruct {
				if fields := tagged(s); len(fields) > 0 {
					all[spec.Name.Name] = fields
				}
			}
			return true
		})
	}
	return nil
}

// tagged returns the fields of a struct that have tags.
func tagged(s *ast.StructType) (fields []field) {
	for _, f := range s.Fields.List {
		if f.Tag == nil {
			continue
		}
		literal, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			continue
		}
		if tag, ok := reflect.StructTag(literal).Lookup("pb"); ok {
			for _, name := range f.Names {
				fields = append(fields, field{name.Name, types.ExprString(f.Type), tag})
			}
		}
	}
	return fields
}
