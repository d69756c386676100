package torch

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// transformerNames are the names that the transformers of package nn give to their parts, and those of PyTorch's modules.
var transformerNames = strings.NewReplacer(
	"/transformer_encode/src_self_attn/", "/self_attn/",
	"/transformer_decode/tgt_self_attn/", "/self_attn/",
	"/transformer_decode/tgt_memory_attn/", "/multihead_attn/",
	"/transformer_encode/enc_layer_norm", "/norm",
	"/transformer_decode/dec_layer_norm", "/norm",
	"/transformer_encode/enc_affine", "/linear",
	"/transformer_decode/dec_affine", "/linear",
)

// stacks matches the layers of a whole transformer.
var stacks = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/transformer/(encoder|decoder)0?(\d+)/`) })

// module returns the name of the module of the layer at a path, which ends with the layer's own folder, such as
// "fc1/affine". own is the number of folders that the layer adds.
func (o *Options) module(layer string, own int) string {
	parts := strings.Split(layer, "/")
	for n := len(parts); n >= 0; n-- {
		given, ok := o.Modules[strings.Join(parts[:n], "/")]
		if !ok {
			continue
		}
		rest := strings.Join(parts[n:max(n, len(parts)-own)], "/")
		return joined(given, plain(rest))
	}
	return plain(strings.Join(parts[:len(parts)-own], "/"))
}

// plain returns the name of a module that is named like a folder.
func plain(folder string) string {
	name := stacks().ReplaceAllString("/"+folder+"/", "/$1/layers/$2/")
	return strings.ReplaceAll(strings.Trim(transformerNames.Replace(name), "/"), "/", ".")
}

// joined returns the name of a part of a module.
func joined(module, name string) string {
	if module == "" || name == "" {
		return module + name
	}
	return fmt.Sprint(module, ".", name)
}

// transformerPart matches a part of a layer of a transformer.
var transformerPart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(|.*/)transformer_(?:encode|decode)/([a-z_]*\d?)`)
})

// transformerOrder are the parts in the order of PyTorch's modules.
var transformerOrder = []string{"src_self_attn", "tgt_self_attn", "tgt_memory_attn", "enc_affine1", "enc_affine2", "dec_affine1", "dec_affine2"}

// sortTransformers sorts the parts of every layer of a transformer, which are together.
func sortTransformers(layers []*layer) {
	for from := 0; from < len(layers); {
		folder, _, ok := partOf(layers[from].path)
		to := from + 1
		for ok && to < len(layers) {
			if other, _, same := partOf(layers[to].path); !same || other != folder {
				break
			}
			to++
		}
		slices.SortStableFunc(layers[from:to], func(a, b *layer) int {
			_, i, _ := partOf(a.path)
			_, k, _ := partOf(b.path)
			return cmp.Compare(i, k)
		})
		from = to
	}
}

// partOf returns the folder of the layer of a transformer that a path is in, and the rank of its part.
func partOf(path string) (folder string, rank int, ok bool) {
	m := transformerPart().FindStringSubmatch(path)
	if m == nil {
		return "", 0, false
	}
	if rank = slices.Index(transformerOrder, m[2]); rank < 0 { // normalisations come last
		rank = len(transformerOrder)
	}
	return m[1], rank, true
}
