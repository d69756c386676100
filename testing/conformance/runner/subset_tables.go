package runner

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// accuracySubset writes a part of the points of every table that a row belongs to.
func (r *Runner) accuracySubset(s golden.Suite, to string) error {
	text, err := os.ReadFile(filepath.Join(s.Dir, "index.json"))
	if err != nil {
		return err
	}
	var index accuracyIndex
	if err := json.Unmarshal(text, &index); err != nil {
		return err
	}
	var kept accuracyIndex
	for _, t := range index.Functions {
		if !slices.ContainsFunc(t.names(), func(name string) bool { return r.functions[name] != nil }) {
			continue
		}
		kept.Functions = append(kept.Functions, t)
		arrays, err := nd.LoadNpz(filepath.Join(s.Dir, t.Name+".npz"))
		if err != nil {
			return err
		}
		for i, a := range arrays {
			arrays[i].Array = a.Array.Index(nd.All().By(accuracyStep)).Copy()
		}
		if err := os.MkdirAll(to, 0o755); err != nil {
			return err
		}
		if err := nd.SaveNpz(filepath.Join(to, t.Name+".npz"), arrays, true); err != nil {
			return err
		}
	}
	if kept.Functions == nil {
		return nil
	}
	out, err := json.MarshalIndent(kept, "", " ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(to, "index.json"), append(out, '\n'))
}

// npySubset writes the smallest files of every kind of outcome.
func npySubset(s golden.Suite, to string) error {
	text, err := os.ReadFile(filepath.Join(s.Dir, "manifest.json"))
	if err != nil {
		return err
	}
	var raw []json.RawMessage
	var entries []npyEntry
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	if err := json.Unmarshal(text, &entries); err != nil {
		return err
	}
	const limit = 1 << 10 // bytes a file
	var kept []json.RawMessage
	for i, e := range entries {
		data, err := os.ReadFile(filepath.Join(s.Dir, e.File))
		if err != nil {
			return err
		}
		if len(data) > limit {
			continue
		}
		kept = append(kept, raw[i])
		if err := writeFile(filepath.Join(to, e.File), data); err != nil {
			return err
		}
	}
	var out bytes.Buffer
	out.WriteByte('[')
	for i, entry := range kept {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
		if err := json.Compact(&out, entry); err != nil {
			return err
		}
	}
	out.WriteString("\n]\n")
	return writeFile(filepath.Join(to, "manifest.json"), out.Bytes())
}
