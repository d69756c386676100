package hdf5

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// Read reads the elements of an Array into memory that it gets from room.
func (f *File) Read(o *Object, room npy.Room) error {
	return f.ReadRows(o, 0, rowsOf(o.Header.Shape), room)
}

// rowsOf returns the length of the first axis; a 0-d array is one row.
func rowsOf(shape []int) int {
	if len(shape) == 0 {
		return 1
	}
	return shape[0]
}

// ReadRows reads the rows from index from up to, but not including, index to.
func (f *File) ReadRows(o *Object, from, to int, room npy.Room) (err error) {
	defer catch(&err)
	d := f.dataset(o, from, to)
	h := o.Header
	h.Shape = d.shape
	d.room = func() []byte {
		dst, err := room(h)
		if err != nil {
			panic(failure{err})
		}
		return dst
	}
	d.toHost = h.ToHost
	d.read()
	return nil
}

// ReadText reads the elements of a Text.
func (f *File) ReadText(o *Object) (t npy.Text, err error) {
	defer catch(&err)
	d := f.dataset(o, 0, rowsOf(o.Header.Shape))
	d.elementCosts = textCosts
	d.room = func() []byte {
		d.dst = make([]byte, d.bytes)
		return d.dst
	}
	d.toHost = func([]byte) {}
	d.read()
	return d.r.text(&o.Value, d.dst), nil
}

// dataset reads rows of the elements of a dataset.
type dataset struct {
	r            *reader
	value        *Value
	header       []message
	from         int   // the first row
	shape        []int // of the rows
	bytes        int   // of the rows
	elementCosts int   // beside their bytes
	room         func() []byte
	toHost       func([]byte) // converts elements that were read
	dst          []byte
}

func (f *File) dataset(o *Object, from, to int) *dataset {
	r := f.reader()
	d := &dataset{r: r, value: &o.Value, header: r.header(o.addr), from: from, shape: append([]int{}, o.Header.Shape...)}
	if len(d.shape) > 0 {
		d.shape[0] = to - from
	}
	d.bytes = broadcast.Size(d.shape) * o.element.size
	return d
}

// The layouts of data.
const (
	compactLayout    = 0
	contiguousLayout = 1
	chunkedLayout    = 2
	virtualLayout    = 3
)

// read reads the elements.
func (d *dataset) read() {
	if d.bytes == 0 {
		d.room()
		return
	}
	if d.r.find(d.header, externalMessage) != nil {
		fail("the data are in other files, which are not read")
	}
	c := &cursor{b: d.r.need(d.header, layoutMessage, "a layout")}
	version := c.u8()
	rank, class := 0, 0
	switch {
	case version == 1 || version == 2:
		rank, class = c.u8(), c.u8()
		c.skip(5)
	case version >= 3 && version <= 5:
		class = c.u8()
	default:
		fail("version %d of a layout", version)
	}
	switch class {
	case compactLayout:
		d.compact(c, version, rank)
	case contiguousLayout:
		d.contiguous(c.addr())
	case chunkedLayout:
		d.chunked(d.chunkedLayout(c, version, rank))
	case virtualLayout:
		fail("a virtual dataset, whose data are in other files, which are not read")
	default:
		fail("layout %d", class)
	}
}

// begin gets the memory for the elements. The file must hold most of them: so many bytes of the rows are known to be in it.
func (d *dataset) begin(held int) {
	costs := d.bytes / d.value.element.size * d.elementCosts
	if int64(d.bytes-held) > d.r.f.spare() || int64(costs) > d.r.f.spare() {
		fail("%d bytes, of which the file holds %d: too few", d.bytes, held)
	}
	d.dst = d.room()
}

// offset returns the offset of the rows among the elements.
func (d *dataset) offset() int {
	if len(d.shape) == 0 {
		return 0
	}
	return d.from * (d.bytes / d.shape[0])
}

// whole returns the number of bytes of all rows.
func (d *dataset) whole() int { return d.value.count() * d.value.element.size }

// compact reads elements that stand in the header.
func (d *dataset) compact(c *cursor, version, rank int) {
	n := 0
	if version < 3 {
		c.skip(4 * rank)
		n = c.size(4)
	} else {
		n = c.u16()
	}
	b := c.take(n)
	if n < d.whole() {
		fail("%d bytes of data, want %d", n, d.whole())
	}
	d.begin(d.bytes)
	copy(d.dst, b[d.offset():])
	d.toHost(d.dst)
}

// contiguous reads elements that stand in one piece.
func (d *dataset) contiguous(addr uint64) {
	if addr == undefined {
		d.begin(0)
		d.fill()
		return
	}
	at := d.r.f.locate(addr, d.whole()) + int64(d.offset())
	d.begin(d.bytes)
	const piece = 1 << 20 // converted while it is in the cache; a multiple of every size of an array's elements
	parallel((len(d.dst)+piece-1)/piece, func() func(i int) {
		return func(i int) {
			part := d.dst[i*piece : min((i+1)*piece, len(d.dst))]
			d.r.f.readAt(part, at+int64(i*piece))
			d.toHost(part)
		}
	})
}

// fill sets all elements to the fill value.
func (d *dataset) fill() {
	value := d.fillValue()
	if len(value) != d.value.element.size || len(d.dst) == 0 {
		clear(d.dst)
		return
	}
	n := copy(d.dst, value)
	d.toHost(d.dst[:n])
	for n < len(d.dst) {
		n += copy(d.dst[n:], d.dst[:n])
	}
}

// fillValue returns the bytes of the fill value, none if it is zero.
func (d *dataset) fillValue() []byte {
	if data := d.r.find(d.header, fillMessage); data != nil {
		c := &cursor{b: data}
		switch version := c.u8(); version {
		case 1, 2:
			c.skip(2)
			if defined := c.u8(); version == 2 && defined == 0 {
				return nil
			}
		case 3:
			if c.u8()&0x20 == 0 {
				return nil
			}
		default:
			fail("version %d of a fill value", version)
		}
		return c.take(c.size(4))
	}
	if data := d.r.find(d.header, oldFillMessage); data != nil {
		c := &cursor{b: data}
		return c.take(c.size(4))
	}
	return nil
}

// parallel calls functions for 0, …, n-1, on several processors. Each goroutine gets a function of its own from the
// function worker. If some fail, parallel fails as the first of them in the order of their numbers.
func parallel(n int, worker func() func(i int)) { parallelOn(runtime.GOMAXPROCS(0), n, worker) }

func parallelOn(workers, n int, worker func() func(i int)) {
	if workers = min(workers, n); workers <= 1 {
		do := worker()
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var lock sync.Mutex
	var failed error
	first := n // that failed
	stop := func(i int) bool {
		lock.Lock()
		defer lock.Unlock()
		return i >= first
	}
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			do := worker()
			for i := int(next.Add(1)) - 1; !stop(i); i = int(next.Add(1)) - 1 {
				err := func() (err error) {
					defer catch(&err)
					do(i)
					return nil
				}()
				lock.Lock()
				if err != nil && i < first {
					first, failed = i, err
				}
				lock.Unlock()
			}
		})
	}
	group.Wait()
	if failed != nil {
		panic(failure{failed})
	}
}
