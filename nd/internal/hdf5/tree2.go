package hdf5

// tree2 is a tree of version 2.
type tree2 struct {
	r      *reader
	node   int   // bytes
	record int   // bytes
	most   []int // records in a node of each level, the leaves first
	counts int   // bytes that count the records of a child
	totals []int // bytes that count the records below a child of a node of each level
}

// records calls f for each record of a tree of version 2, in their order.
func (r *reader) records(addr uint64, f func(c *cursor)) {
	c := r.signed(addr, 34, "BTHD")
	c.skip(1)
	t := &tree2{r: r, node: c.size(4), record: c.u16()}
	depth := c.u16()
	c.skip(2)
	root, n := c.addr(), c.u16()
	if root == undefined {
		return
	}
	if t.record == 0 || depth > deepest {
		fail("a tree of %d levels, of records of %d bytes", depth, t.record)
	}
	t.levels(depth)
	t.walk(root, n, depth, f)
}

// levels works out how many records the nodes of each level hold, which says how many bytes their fields have.
func (t *tree2) levels(depth int) {
	const prefix = 4 + 1 + 1 + 4
	most := (t.node - prefix) / t.record
	t.most, t.totals, t.counts = []int{most}, []int{0}, bytesFor(uint64(max(most, 0)))
	below := uint64(max(most, 0))
	for d := 1; d <= depth; d++ {
		total := 0
		if d > 1 {
			total = bytesFor(below)
		}
		pointer := 8 + t.counts + total
		most = (t.node - prefix - pointer) / (t.record + pointer)
		t.most, t.totals = append(t.most, most), append(t.totals, total)
		if most < 1 {
			break
		}
		below = min(uint64(most+1)*below+uint64(most), 1<<46)
	}
	if most < 1 {
		fail("a tree whose nodes of %d bytes hold nothing", t.node)
	}
}

func (t *tree2) walk(addr uint64, n, depth int, f func(c *cursor)) {
	if n > t.most[depth] {
		fail("%d records in the node of a tree, of at most %d", n, t.most[depth])
	}
	c := t.r.at(addr, t.node)
	pointer := 0
	if depth == 0 {
		c.sign("BTLF", 0)
	} else {
		c.sign("BTIN", 0)
		pointer = 8 + t.counts + t.totals[depth]
	}
	c.skip(1)
	records := &cursor{b: c.take(n * t.record)}
	children := &cursor{b: c.take((n + 1) * pointer)}
	c.verify(c.i)
	for k := range n + 1 {
		if depth > 0 {
			child, m := children.addr(), children.size(t.counts)
			children.skip(t.totals[depth])
			t.walk(child, m, depth-1, f)
		}
		if k < n {
			f(&cursor{b: records.take(t.record)})
		}
	}
}
