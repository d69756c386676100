package torch

import (
	"errors"
	"fmt"
)

// Walk calls visit for v and everything in it, in order, with the path of each: the keys of dicts and the numbers of lists,
// with a slash between them, or a dot between the attributes of objects. It is an error if a value contains itself.
func (f *File) Walk(v any, visit func(path string, v any) error) error {
	const deepest = 200
	var walk func(path string, v any, depth int) error
	walk = func(path string, v any, depth int) error {
		if depth > deepest {
			return errors.New("values are nested too deeply, or contain themselves")
		}
		if err := f.budget.spend(1 + len(path)/16); err != nil {
			return err
		}
		if err := visit(path, v); err != nil {
			return err
		}
		switch v := v.(type) {
		case *List:
			for i, item := range v.Items {
				if err := walk(join(path, "/", i), item, depth+1); err != nil {
					return err
				}
			}
		case *Dict:
			separator := "/"
			if v.IsObject {
				separator = "."
			}
			for i, key := range v.Keys {
				if err := walk(join(path, separator, key), v.Values[i], depth+1); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return walk("", v, 0)
}

func join(path, separator string, key any) string {
	if path == "" {
		return fmt.Sprint(key)
	}
	return path + separator + fmt.Sprint(key)
}
