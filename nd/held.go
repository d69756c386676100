package nd

// Held describes a block of memory that an arena or a node holds, for implementations of [Recorder].
type Held struct {
	Block any // identifies the block, as Array.Block does
	Bytes int
	Func  Func  // the function that made an array on the block
	Node  *Node // the node whose result this array is, or nil
}

// Held returns the memory of the arrays that the arena owns, one entry per array, in the order in which they were
// added.
func (a *Arena) Held() []Held {
	a.check("Arena.Held")
	var all []Held
	for _, x := range a.owned {
		if a.owns(x) && !x.released {
			all = append(all, Held{x.store, x.store.bytes(), x.fn, x.node})
		}
	}
	return all
}

// Held returns the memory of the values that the operation claims; one block may occur twice.
func (n *Node) Held() []Held {
	var all []Held
	for i := range n.in {
		all = n.in[i].held(all, n.in[i].node)
	}
	for i := range n.out {
		all = n.out[i].held(all, n)
	}
	return all
}

func (e *edge) held(all []Held, made *Node) []Held {
	if e.store == nil {
		return all
	}
	return append(all, Held{e.store, e.store.bytes(), e.fn, made})
}
