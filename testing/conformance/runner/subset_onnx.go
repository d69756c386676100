package runner

import (
	"archive/zip"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/testing/golden"
)

// The committed part of an archive of ONNX's cases has some cases for each combination of operators, each of at most so many
// compressed bytes.
const (
	casesPerOperator = 2
	largestModel     = 6 << 10
)

// onnxSubset writes the smallest models of each operator, with their values.
func onnxSubset(s golden.Suite, to string) error {
	archives, err := filepath.Glob(filepath.Join(s.Dir, "*.zip"))
	if err != nil {
		return err
	}
	for _, path := range archives {
		if err := onnxPart(path, filepath.Join(to, filepath.Base(path))); err != nil {
			return err
		}
	}
	return nil
}

// onnxPart writes a part of an archive.
func onnxPart(path, to string) error {
	members, err := zipMembers(path)
	if err != nil {
		return err
	}
	var all []struct {
		Name string
		Ops  []string
	}
	index, err := members["index.json"].Open()
	if err != nil {
		return err
	}
	defer index.Close()
	text, err := io.ReadAll(index)
	if err != nil {
		return err
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	sizes, files := map[string]int{}, map[string][]string{}
	for name, m := range members {
		model, _, ok := strings.Cut(name, "/")
		if ok {
			sizes[model] += int(m.CompressedSize64)
			files[model] = append(files[model], name)
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[all[a].Name] - sizes[all[b].Name] })
	count := map[string]int{}
	var chosen []json.RawMessage
	var names []string
	for _, i := range order {
		c := all[i]
		key := strings.Join(c.Ops, " ")
		if strings.Contains(c.Name, "_expanded") {
			key, _, _ = strings.Cut(strings.TrimPrefix(c.Name, "test_"), "_") // the operator that is expanded
		}
		if count[key] == casesPerOperator || sizes[c.Name] > largestModel {
			continue
		}
		count[key]++
		chosen = append(chosen, raw[i])
		names = append(names, files[c.Name]...)
	}
	slices.Sort(names)
	short, err := json.Marshal(chosen)
	if err != nil {
		return err
	}
	return copyMembers(members, names, to, member{"index.json", short})
}

// member is a further member of an archive.
type member struct {
	name string
	data []byte
}

// write adds the member to an archive.
func (m member) write(w *zip.Writer) error {
	f, err := w.CreateHeader(&zip.FileHeader{Name: m.name, Method: zip.Deflate})
	if err == nil {
		_, err = f.Write(m.data)
	}
	return err
}
