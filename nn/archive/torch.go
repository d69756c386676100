package archive

import (
	"fmt"
	"os"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// writeTorch writes a dict of tensors and texts, which torch.load reads.
func writeTorch(path string, entries []entry, _ SaveOptions) error {
	d := make(nd.TorchDict, len(entries))
	for i, e := range entries {
		if d[i] = (nd.TorchItem{Key: e.name, Value: e.text}); e.array != nil {
			d[i].Value = e.array
		}
	}
	return nd.SaveTorch(path, d)
}

// readTorch reads the tensors, numbers and texts of a file of torch.save at any depth. None and everything else that is
// no value here is left out.
func readTorch(path string) ([]entry, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	f, err := nd.OpenTorch(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// A tensor may repeat the elements of its storage. What is restored are copies, so their size must be limited.
	room := float64(64<<20) + 16*float64(info.Size())
	for _, name := range f.Names() {
		dt, shape, err := f.Info(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if room -= float64(broadcast.Size(shape)) * float64(dt.Size()); room < 0 {
			return nil, fmt.Errorf("%s: with %q, of shape %s, the tensors are larger than a file of %d bytes may say", path, name,
				broadcast.FormatShape(shape), info.Size())
		}
	}
	arrays, err := f.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var all []entry
	for _, name := range f.Paths() {
		if len(arrays) > 0 && arrays[0].Name == name {
			all, arrays = append(all, entry{name: name, array: arrays[0].Array, shared: true}), arrays[1:]
			continue
		}
		value, err := f.Value(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if e, ok := plainEntry(name, value); ok {
			all = append(all, e)
		}
	}
	return all, nil
}

// plainEntry returns the entry of a text or a number, and false for other values.
func plainEntry(name string, v any) (entry, bool) {
	var x *nd.Array
	switch v := v.(type) {
	case string:
		return entry{name: name, text: v}, true
	case bool:
		x = nd.FromSlice([]bool{v})
	case int64:
		x = nd.FromSlice([]int64{v})
	case float64:
		x = nd.FromSlice([]float64{v})
	default:
		return entry{}, false
	}
	return entry{name: name, array: x.Reshape()}, true
}
