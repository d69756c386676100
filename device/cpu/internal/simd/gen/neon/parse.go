package main

import (
	"fmt"
	"strconv"
	"strings"
)

// file is a file of assembly for amd64, as avo prints it.
type file struct {
	functions []*function
	data      map[string]*datum
	order     []string // the names of the data
}

// function is a routine. Its name has neither dot nor package.
type function struct {
	name, attributes, size string
	code                   []*inst
}

// inst is an instruction, with the labels before it.
type inst struct {
	labels []string
	op     string
	args   []operand
	next   []int    // the instructions that may follow
	live   [2]vregs // the vector registers that are read later: before and after the instruction
}

// operand is a vector register, a general register, memory, a number or a label.
type operand struct {
	kind   byte   // y, x, r, m, $ or l
	n      int    // the number of a register, or a number
	name   string // of a label
	memory memory
}

// memory is an address: of an argument or of a symbol if name is not empty.
type memory struct {
	name         string
	argument     bool
	base, index  int  // -1: none
	vector       bool // the index is a vector
	scale, displ int
}

// datum is constant data, in words of 8 or 4 bytes.
type datum struct {
	bytes []byte
	flags string
}

var generalRegisters = map[string]int{"AX": 0, "CX": 1, "DX": 2, "BX": 3, "SP": 31, "BP": 5, "SI": 6, "DI": 7,
	"AL": 0, "CL": 1, "DL": 2, "BL": 3}

// parse reads the text, without routines for AVX-512.
func parse(text string) *file {
	f := &file{data: map[string]*datum{}}
	var current *function
	var labels []string
	for _, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "//")
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.TrimSpace(rest)
		switch {
		case word == "" || word[0] == '#':
		case word == "DATA":
			f.datum(rest)
		case word == "GLOBL":
			name, flags, _ := strings.Cut(rest, ", ")
			flags, _, _ = strings.Cut(flags, ", $")
			f.named(name).flags = flags
		case word == "TEXT":
			parts := strings.Split(rest, ", ")
			name := strings.TrimSuffix(strings.TrimPrefix(parts[0], "·"), "(SB)")
			current = &function{name: name, attributes: parts[1], size: strings.TrimPrefix(parts[2], "$")}
			if translated(name) {
				f.functions = append(f.functions, current)
			}
		case strings.HasSuffix(word, ":"):
			labels = append(labels, strings.TrimSuffix(word, ":"))
		default:
			in := &inst{labels: labels, op: word}
			labels = nil
			for _, a := range splitOperands(rest) {
				in.args = append(in.args, parseArgument(a))
			}
			current.code = append(current.code, in)
		}
	}
	return f
}

func (f *file) named(symbol string) *datum {
	name, _, _ := strings.Cut(symbol, "<>")
	if f.data[name] == nil {
		f.data[name] = &datum{}
		f.order = append(f.order, name)
	}
	return f.data[name]
}

// datum reads name<>+offset(SB)/size, $number.
func (f *file) datum(text string) {
	symbol, value, _ := strings.Cut(text, ", $")
	symbol, size, _ := strings.Cut(symbol, "/")
	d := f.named(symbol)
	if strings.HasPrefix(value, "\"") {
		text, err := strconv.Unquote(value)
		if err != nil {
			panic(err)
		}
		d.bytes = append(d.bytes, text...)
		return
	}
	v, err := strconv.ParseUint(value, 0, 64)
	if err != nil {
		panic(fmt.Sprint(text, ": ", err))
	}
	for range number(size) {
		d.bytes = append(d.bytes, byte(v))
		v >>= 8
	}
}

func splitOperands(text string) (ops []string) {
	for _, s := range strings.Split(text, ",") {
		if s = strings.TrimSpace(s); s != "" {
			ops = append(ops, s)
		}
	}
	return ops
}

func parseArgument(s string) operand {
	switch {
	case s[0] == '$':
		v, err := strconv.ParseInt(s[1:], 0, 64)
		if err != nil {
			u, err := strconv.ParseUint(s[1:], 0, 64)
			if err != nil {
				panic(err)
			}
			v = int64(u)
		}
		return operand{kind: '$', n: int(v)}
	case strings.HasSuffix(s, ")"):
		return operand{kind: 'm', memory: parseMemory(s)}
	}
	if n, ok := generalRegister(s); ok {
		return operand{kind: 'r', n: n}
	}
	if n, err := strconv.Atoi(s[1:]); err == nil && (s[0] == 'X' || s[0] == 'Y') {
		return operand{kind: s[0] + 'a' - 'A', n: n}
	}
	return operand{kind: 'l', name: s}
}

func generalRegister(s string) (int, bool) {
	if n, ok := generalRegisters[s]; ok {
		return n, true
	}
	n, err := strconv.Atoi(s[1:])
	return n, err == nil && s[0] == 'R'
}

func parseMemory(s string) memory {
	m := memory{base: -1, index: -1}
	at := strings.IndexByte(s, '(')
	front, base := s[:at], s[at+1:strings.IndexByte(s, ')')]
	if base == "FP" || base == "SB" {
		m.argument = base == "FP"
		m.name = front
		if plus := strings.LastIndexByte(front, '+'); plus >= 0 {
			m.name, m.displ = front[:plus], number(front[plus+1:])
		}
	} else {
		if front != "" {
			m.displ = number(front)
		}
		n, ok := generalRegister(base)
		if !ok {
			panic(s)
		}
		m.base = n
	}
	if _, rest, ok := strings.Cut(s[at:], ")("); ok {
		index, scale, _ := strings.Cut(strings.TrimSuffix(rest, ")"), "*")
		m.scale = number(scale)
		if n, ok := generalRegister(index); ok {
			m.index = n
		} else {
			m.index, m.vector = number(index[1:]), true
		}
	}
	return m
}
