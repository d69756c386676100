package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// assemble returns the word of a vector instruction, given in the syntax of GNU as. Go's assembler has no names for most
// of them. It panics for an instruction that forms does not list and for an operand that does not fit.
func assemble(text string) uint32 {
	name, rest, _ := strings.Cut(text, " ")
	ops, signature := parseOperands(rest)
	for _, f := range forms {
		if f.signature == signature && strings.Contains(" "+f.names+" ", " "+name+" ") {
			return f.encode(bases[name+" "+f.class], ops)
		}
	}
	panic(fmt.Sprintf("%s: no such instruction (operands %s)", text, signature))
}

// arg is an operand. Its kind is v for a vector, e for an element of a vector, f for a scalar register, x or w for a
// general register, # for a number, m for memory and { for a list of vectors.
type arg struct {
	kind   byte
	n      int     // the register, or the first one
	size   int     // the binary logarithm of an element's size in bytes
	q      uint32  // whether a vector has 16 bytes
	index  int     // of the element
	number float64 // or the offset in memory
	count  int     // of a list
}

func parseOperands(text string) (ops []arg, signature string) {
	depth, from := 0, 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) {
			depth += strings.Count("[{", text[i:i+1]) - strings.Count("]}", text[i:i+1])
		}
		if i == len(text) || depth == 0 && text[i] == ',' {
			op := parseOperand(strings.TrimSpace(text[from:i]))
			ops, signature, from = append(ops, op), signature+string(op.kind), i+1
		}
	}
	return ops, signature
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

func parseOperand(s string) arg {
	switch {
	case s[0] == '#':
		v, err := strconv.ParseFloat(s[1:], 64)
		if err != nil {
			panic(err)
		}
		return arg{kind: '#', number: v}
	case s[0] == '[':
		base, offset, _ := strings.Cut(s[1:len(s)-1], ",")
		a := arg{kind: 'm', n: number(base[1:])}
		if offset = strings.TrimSpace(offset); offset != "" {
			a.number = parseOperand(offset).number
		}
		return a
	case s[0] == '{':
		list, lane, indexed := strings.Cut(s[1:], "}")
		parts := strings.Split(list, ",")
		a := parseOperand(strings.TrimSpace(parts[0]))
		a.kind, a.count = '{', len(parts)
		if indexed && lane != "" {
			a.index = number(lane[1 : len(lane)-1])
		}
		return a
	case s[0] == 'v':
		register, arrangement, _ := strings.Cut(s[1:], ".")
		a := arg{kind: 'v', n: number(register)}
		if elem, index, ok := strings.Cut(arrangement, "["); ok {
			a.kind, arrangement, a.index = 'e', elem, number(index[:len(index)-1])
		}
		a.size = strings.Index("bhsd", arrangement[len(arrangement)-1:])
		if count := arrangement[:len(arrangement)-1]; count != "" && number(count)<<a.size == 16 {
			a.q = 1
		}
		return a
	case s[0] == 'x' || s[0] == 'w':
		return arg{kind: s[0], n: number(s[1:])}
	}
	return arg{kind: 'f', n: number(s[1:]), size: strings.Index("bhsdq", s[:1])}
}

// form describes instructions whose operands are encoded alike.
type form struct {
	class, signature, names string
	encode                  func(base uint32, ops []arg) uint32
}

func dnm(ops []arg) (word uint32) {
	for i, shift := range []int{0, 5, 16} {
		if i < len(ops) && ops[i].kind != '#' {
			word |= uint32(ops[i].n) << shift
		}
	}
	return word
}

func floatSize(o arg) uint32 { return uint32(o.size&1) << 22 }
func intSize(o arg) uint32   { return uint32(o.size) << 22 }
func quad(o arg) uint32      { return o.q << 30 }

// within panics if a number is out of range.
func within(v, low, high float64) uint32 {
	if v < low || v > high || v != math.Trunc(v) {
		panic(fmt.Sprint(v, " is not an integer from ", low, " to ", high))
	}
	return uint32(int32(v))
}

var forms = []form{
	{"int", "vvv", "add sub mul cmgt cmge cmhi cmhs cmeq smax smin umax umin sshl ushl addp zip1 zip2 uzp1 uzp2 trn1 trn2",
		func(b uint32, o []arg) uint32 { return b | quad(o[0]) | intSize(o[0]) | dnm(o) }},
	{"long", "vvv", "smull smlal umull umlal smull2 smlal2 umull2 umlal2",
		func(b uint32, o []arg) uint32 { return b | intSize(o[1]) | dnm(o) }},
	{"float", "vvv", "fadd fsub fmul fdiv fmax fmin fmaxnm fminnm fmla fmls fcmeq fcmge fcmgt frecps faddp",
		func(b uint32, o []arg) uint32 { return b | quad(o[0]) | floatSize(o[0]) | dnm(o) }},
	{"bits", "vvv", "and bic orr orn eor bsl bit bif", func(b uint32, o []arg) uint32 { return b | quad(o[0]) | dnm(o) }},
	{"dot", "vvv", "sdot udot", func(b uint32, o []arg) uint32 { return b | dnm(o) }},
	{"float", "vv", "fsqrt fabs fneg frintn frintm frintp frintz fcvtzs fcvtzu scvtf ucvtf frecpe",
		func(b uint32, o []arg) uint32 { return b | quad(o[0]) | floatSize(o[0]) | dnm(o) }},
	{"int", "vv", "abs neg cnt rev64", func(b uint32, o []arg) uint32 { return b | quad(o[0]) | intSize(o[0]) | dnm(o) }},
	{"pairs", "vv", "saddlp uaddlp", func(b uint32, o []arg) uint32 { return b | quad(o[1]) | intSize(o[1]) | dnm(o) }},
	{"bits", "vv", "mvn", func(b uint32, o []arg) uint32 { return b | quad(o[0]) | dnm(o) }},
	{"zero", "vv#", "cmlt cmeq cmgt", func(b uint32, o []arg) uint32 {
		return b | within(o[2].number, 0, 0) | quad(o[0]) | intSize(o[0]) | dnm(o)
	}},
	{"narrow", "vv", "xtn xtn2 sqxtn sqxtn2 uqxtn uqxtn2 sqxtun sqxtun2",
		func(b uint32, o []arg) uint32 { return b | intSize(o[0]) | dnm(o) }},
	{"convert", "vv", "fcvtl fcvtl2", func(b uint32, o []arg) uint32 { return b | floatSize(o[0]) | dnm(o) }},
	{"convert", "vv", "fcvtn fcvtn2", func(b uint32, o []arg) uint32 { return b | floatSize(o[1]) | dnm(o) }},
	{"across", "fv", "addv umaxv uminv smaxv sminv uaddlv",
		func(b uint32, o []arg) uint32 { return b | quad(o[1]) | intSize(o[1]) | dnm(o) }},
	{"left", "vv#", "shl", func(b uint32, o []arg) uint32 {
		return b | quad(o[0]) | (8<<o[0].size+within(o[2].number, 0, float64(int(8)<<o[0].size-1)))<<16 | dnm(o[:2])
	}},
	{"right", "vv#", "sshr ushr", func(b uint32, o []arg) uint32 {
		return b | quad(o[0]) | (16<<o[0].size-within(o[2].number, 1, float64(int(8)<<o[0].size)))<<16 | dnm(o[:2])
	}},
	{"widen", "vv#", "sshll ushll sshll2 ushll2", func(b uint32, o []arg) uint32 {
		return b | (8<<o[1].size+within(o[2].number, 0, float64(int(8)<<o[1].size-1)))<<16 | dnm(o[:2])
	}},
	{"ext", "vvv#", "ext", func(b uint32, o []arg) uint32 { return b | within(o[3].number, 0, 15)<<11 | dnm(o[:3]) }},
	{"table", "v{v", "tbl", func(b uint32, o []arg) uint32 { return b | quad(o[0]) | uint32(o[1].count-1)<<13 | dnm(o) }},
	{"element", "ve", "dup", func(b uint32, o []arg) uint32 { return b | quad(o[0]) | lane(o[1]) | dnm(o) }},
	{"general", "vw", "dup", func(b uint32, o []arg) uint32 { return b | quad(o[0]) | 1<<o[0].size<<16 | dnm(o) }},
	{"general", "vx", "dup", func(b uint32, o []arg) uint32 { return b | quad(o[0]) | 1<<o[0].size<<16 | dnm(o) }},
	{"element", "ee", "ins", func(b uint32, o []arg) uint32 {
		return b | lane(o[0]) | uint32(o[1].index)<<o[1].size<<11 | dnm(o)
	}},
	{"general", "ew", "ins", func(b uint32, o []arg) uint32 { return b | lane(o[0]) | dnm(o) }},
	{"general", "ex", "ins", func(b uint32, o []arg) uint32 { return b | lane(o[0]) | dnm(o) }},
	{"w", "we", "umov", func(b uint32, o []arg) uint32 { return b | lane(o[1]) | dnm(o) }},
	{"x", "xe", "umov", func(b uint32, o []arg) uint32 { return b | lane(o[1]) | dnm(o) }},
	{"by", "vve", "fmla fmls fmul", func(b uint32, o []arg) uint32 {
		i := uint32(o[2].index)
		if o[0].size == 3 {
			b |= i << 11
		} else {
			b |= i>>1<<11 | i&1<<21
		}
		return b | quad(o[0]) | floatSize(o[0]) | dnm(o)
	}},
	{"scaled", "fm", "ldr str", func(b uint32, o []arg) uint32 {
		size := float64(int(1) << o[0].size)
		return b | scalarSize(o[0]) | within(o[1].number/size, 0, 4095)<<10 | dnm(o)
	}},
	{"unscaled", "fm", "ldur stur", func(b uint32, o []arg) uint32 {
		return b | scalarSize(o[0]) | within(o[1].number, -256, 255)&511<<12 | dnm(o)
	}},
	{"pair", "ffm", "ldp stp stnp", func(b uint32, o []arg) uint32 {
		return b | within(o[2].number/16, -64, 63)&127<<15 | uint32(o[1].n)<<10 | uint32(o[2].n)<<5 | uint32(o[0].n)
	}},
	{"splat", "{m", "ld1r", func(b uint32, o []arg) uint32 { return b | quad(o[0]) | uint32(o[0].size)<<10 | dnm(o) }},
	{"lane", "{m", "ld1 st1", func(b uint32, o []arg) uint32 {
		at := uint32(o[0].index) << o[0].size // Q, S and size hold the index, and a size of 8 bytes
		b |= at>>3<<30 | at>>2&1<<12 | at&3<<10 | [...]uint32{0, 2, 4, 4}[o[0].size]<<13
		if o[0].size == 3 {
			b |= 1 << 10
		}
		return b | dnm(o)
	}},
	{"byte", "v#", "movi", func(b uint32, o []arg) uint32 { return b | immediate(within(o[1].number, 0, 255)) | dnm(o) }},
	{"single", "v#", "fmov", func(b uint32, o []arg) uint32 {
		return b | uint32(o[0].size&1)<<29 | immediate(floatImmediate(o[1].number)) | dnm(o)
	}},
	{"scalar", "fff", "fadd fsub fmul fdiv", func(b uint32, o []arg) uint32 { return b | floatSize(o[0]) | dnm(o) }},
	{"scalar", "ffff", "fmadd", func(b uint32, o []arg) uint32 { return b | floatSize(o[0]) | uint32(o[3].n)<<10 | dnm(o[:3]) }},
	{"scalar", "ff", "fsqrt", func(b uint32, o []arg) uint32 { return b | floatSize(o[0]) | dnm(o) }},
	{"convert", "ff", "fcvt", func(b uint32, o []arg) uint32 {
		return b | floatSize(o[1]) | uint32(o[0].size&1)<<15 | dnm(o)
	}},
	{"to", "wf", "fmov", func(b uint32, o []arg) uint32 { return b | dnm(o) }},
	{"to", "xf", "fmov", func(b uint32, o []arg) uint32 { return b | 1<<31 | 1<<22 | dnm(o) }},
	{"from", "fw", "fmov", func(b uint32, o []arg) uint32 { return b | dnm(o) }},
	{"from", "fx", "fmov", func(b uint32, o []arg) uint32 { return b | 1<<31 | 1<<22 | dnm(o) }},
	{"four", "vve", "sdot udot", func(b uint32, o []arg) uint32 { // the element has four bytes
		i := uint32(o[2].index)
		return b | i>>1<<11 | i&1<<21 | dnm(o)
	}},
}

// lane encodes an element's size and index.
func lane(o arg) uint32 { return (uint32(o.index)*2 + 1) << o.size << 16 }

// scalarSize encodes the size of a register that is loaded or stored.
func scalarSize(o arg) uint32 {
	if o.size == 4 {
		return 1 << 23
	}
	return uint32(o.size) << 30
}

func immediate(v uint32) uint32 { return v>>5<<16 | v&31<<5 }

// floatImmediate encodes ±n/16·2^e with n from 16 to 31 and e from -3 to 4.
func floatImmediate(v float64) uint32 {
	bits, ok := asFloatImmediate(v)
	if !ok {
		panic(fmt.Sprint(v, " is no immediate number"))
	}
	return bits
}

func asFloatImmediate(v float64) (bits uint32, ok bool) {
	b := math.Float64bits(v)
	exponent := int(b>>52&0x7ff) - 1023
	if b&(1<<48-1) != 0 || exponent < -3 || exponent > 4 {
		return 0, false
	}
	return uint32(b>>63)<<7 | uint32((exponent+3)&7^4)<<4 | uint32(b>>48&15), true
}
