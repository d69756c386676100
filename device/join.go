package device

import (
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Stage is one program of several that are joined: it reads inputs of the joined program and results of earlier stages.
type Stage struct {
	Program *Program // with one output and no raw inputs
	// Inputs says what each input of Program is: k for input k of the joined program, -1-k for the result of stage k. The
	// result must have the input's type: nothing is converted between stages, but the result of a 16-bit float is rounded to it.
	Inputs  []int
	Scalars []int // the number, in the joined program, of each scalar of Program
	Stored  bool  // the stage's result is an output of the joined program
}

// Engines is a set of ways to run a program, each of which is a bit: see [Device.Engines].
type Engines uint8

// Join returns the program that runs the stages one after the other, on the values of one point. Its outputs are the stored
// results, in the order of the stages. The bits of the results are those of the stages by themselves, if one engine of the
// device runs all of them ([Device.Engines]): nothing is simplified across stages, except that a value is computed once. Joined
// programs are cached by their structure, at the last stage's program.
func Join(stages []Stage) *Program {
	var room [256]byte
	key := room[:0]
	for i := range stages {
		p := &stages[i]
		key = binary.LittleEndian.AppendUint32(key, p.Program.identity())
		for _, k := range p.Inputs {
			key = append(key, byte(k))
		}
		for _, k := range p.Scalars {
			key = append(key, byte(k))
		}
		key = append(key, boolByte(p.Stored))
	}
	cache := stages[len(stages)-1].Program.joined()
	cache.RLock()
	joined := cache.made[string(key)]
	cache.RUnlock()
	if joined != nil {
		return joined
	}
	joined = join(stages)
	cache.Lock()
	defer cache.Unlock()
	if first := cache.made[string(key)]; first != nil {
		return first
	}
	if cache.made == nil || len(cache.made) == mostJoined {
		cache.made = map[string]*Program{} // the structures of a program are few; one that makes ever new ones must not fill the memory
	}
	cache.made[string(key)] = joined
	return joined
}

// mostJoined is the largest number of joined programs that one program caches.
const mostJoined = 256

// MaxStages is the largest number of stages of a joined program.
const MaxStages = 64

// joins are the joined programs that end with one program.
type joins struct {
	sync.RWMutex
	made map[string]*Program
}

// Work returns about how much a program computes at one point: the number of its operations that take about as long as an addition. A
// function counts as many.
func (p *Program) Work() (n int) {
	for i := range p.Code {
		switch in := &p.Code[i]; {
		case in.Op.Arity() == 0:
		case in.Type.IsComplex(), in.Op >= OpCbrt && in.Op <= OpGammaPDF, in.Op >= OpFloorDiv && in.Op <= OpPow,
			in.Op >= OpAtan2 && in.Op <= OpHypot, in.Op >= OpNextAfter && in.Op <= OpLcm:
			n += 16
		default:
			n++
		}
	}
	return n
}

func (p *Program) joined() *joins {
	if made := p.joins.Load(); made != nil {
		return made
	}
	p.joins.CompareAndSwap(nil, new(joins))
	return p.joins.Load()
}

// identities counts the programs that were joined.
var identities atomic.Uint32

// identity returns a number that no other program has.
func (p *Program) identity() uint32 {
	if n := p.number.Load(); n != 0 {
		return n
	}
	p.number.CompareAndSwap(0, identities.Add(1))
	return p.number.Load()
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// join makes the joined program.
func join(stages []Stage) *Program {
	q := &Program{Name: stages[len(stages)-1].Program.Name}
	b := newBuilder(q)
	results := make([]Reg, len(stages))
	for i, stage := range stages {
		p := stage.Program
		for k, number := range stage.Inputs {
			if number >= 0 {
				q.Inputs = slices.Grow(q.Inputs, number+1)[:max(len(q.Inputs), number+1)]
				q.Inputs[number] = p.Inputs[k]
			}
		}
		for k, number := range stage.Scalars {
			q.Scalars = slices.Grow(q.Scalars, number+1)[:max(len(q.Scalars), number+1)]
			q.Scalars[number] = p.Scalars[k]
		}
		values := make([]Reg, len(p.Code))
		for v, in := range p.Code {
			switch in.Op {
			case OpInput:
				number := stage.Inputs[in.Index]
				if number < 0 {
					values[v] = results[-1-number]
					continue
				}
				in.Index = number
			case OpScalar:
				in.Index = stage.Scalars[in.Index]
			default:
				if in.Op.Arity() > 0 {
					in.A, in.B, in.C = values[in.A], values[in.B], values[in.C]
				}
			}
			values[v] = b.emit(in)
		}
		results[i] = values[p.Results[0]]
		if op := p.Outputs[0].rounding(); op != 0 && isRead(stages[i+1:], i) {
			results[i] = b.unary(op, results[i])
		}
		if stage.Stored {
			q.Outputs = append(q.Outputs, p.Outputs[0])
			q.Results = append(q.Results, results[i])
		}
	}
	return b.finish()
}

// isRead reports whether one of the stages reads the result of stage number k.
func isRead(stages []Stage, k int) bool {
	return slices.ContainsFunc(stages, func(s Stage) bool { return slices.Contains(s.Inputs, -1-k) })
}

// rounding returns the opcode that rounds a value as a store in the parameter's operand does; 0 if the operand holds it as it is.
func (p *Param) rounding() Op {
	switch p.Stored {
	case dtype.Float16:
		return OpRoundFloat16
	case dtype.BFloat16:
		return OpRoundBFloat16
	}
	return 0
}

// Keeps reports whether arrays of the dtype hold the parameter's values, as they are or, for 16-bit floats, rounded.
func (p *Param) Keeps(t dtype.DType) bool {
	return t == p.Stored && (t == p.Type || p.Type == dtype.Float32 && p.rounding() != 0)
}
