package fft

import (
	"sync"
	"unsafe"

	simd "github.com/ndgrad/ndgrad/device/cpu/internal/simd/fft"
)

// key says what a plan is for.
type key struct {
	form  form
	n     int
	bytes int // of an element
	lanes int
}

// form is an algorithm.
type form uint8

const (
	ofColumns form = iota
	ofRow
	ofBluestein
	ofReal
	ofLength
	ofSquare
	ofFront
)

// planned is a plan with tables.
type planned interface{ size() int }

// mostPlanBytes and mostPlans bound the memory of idle plans. The plan that was made last always stays.
const (
	mostPlanBytes = 64 << 20
	mostPlans     = 256
)

// plans holds the plans that were used last.
var plans = cache{made: map[key]*entry{}}

type cache struct {
	sync.Mutex
	made  map[key]*entry
	bytes int
	clock int
}

type entry struct {
	plan  planned
	bytes int
	used  int
}

// planOf returns the plan for a key, which make makes if it is not there. Two goroutines may make the same plan.
func planOf[P planned, T simd.Float](f form, n int, make func() P) P {
	size := int(unsafe.Sizeof(*new(T)))
	k := key{f, n, size, simd.Lanes[T]()}
	if e := plans.get(k); e != nil {
		return e.(P)
	}
	p := make()
	plans.put(k, p, p.size()*size)
	return p
}

func (c *cache) get(k key) planned {
	c.Lock()
	defer c.Unlock()
	e := c.made[k]
	if e == nil {
		return nil
	}
	c.clock++
	e.used = c.clock
	return e.plan
}

// put adds a plan, and removes those that were not used for the longest time until the others fit.
func (c *cache) put(k key, p planned, bytes int) {
	c.Lock()
	defer c.Unlock()
	if old := c.made[k]; old != nil {
		c.bytes -= old.bytes
	}
	c.clock++
	c.made[k] = &entry{p, bytes, c.clock}
	c.bytes += bytes
	for len(c.made) > 1 && (c.bytes > mostPlanBytes || len(c.made) > mostPlans) {
		var oldest key
		for k, e := range c.made {
			if first := c.made[oldest]; first == nil || e.used < first.used {
				oldest = k
			}
		}
		c.bytes -= c.made[oldest].bytes
		delete(c.made, oldest)
	}
}

func columnPlanOf[T simd.Float](n int) *columnPlan[T] {
	return planOf[*columnPlan[T], T](ofColumns, n, func() *columnPlan[T] { return newColumnPlan[T](n) })
}
