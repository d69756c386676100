package npy

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// maxRank is the largest number of axes that NumPy 2 allows.
const maxRank = 64

// The keys of the header's dict. Each must occur exactly once.
const (
	keyDescr   = "descr"
	keyFortran = "fortran_order"
	keyShape   = "shape"
)

// headerDict holds the values of the header's dict.
type headerDict struct {
	descr   string
	fortran bool
	shape   []int
}

// literalParser parses the text of a header. It accepts the one form of Python literal that a header may have: a dict
// of a string, a bool and a tuple of decimal integers, with the keys in any order and blanks between the tokens.
type literalParser struct {
	text string
	pos  int
	// longSuffix allows the L that Python 2 wrote after a long integer.
	longSuffix bool
}

// parseHeaderDict reads the whole text of a header.
func parseHeaderDict(text string, longSuffix bool) (headerDict, error) {
	p := &literalParser{text: text, longSuffix: longSuffix}
	d, err := p.dict()
	if err != nil {
		return headerDict{}, err
	}
	p.skipBlanks()
	if p.pos != len(p.text) {
		return headerDict{}, p.unexpected("the end of the header")
	}
	return d, nil
}

func (p *literalParser) dict() (headerDict, error) {
	var d headerDict
	seen := map[string]bool{}
	if !p.accept('{') {
		return d, p.unexpected("a dict")
	}
	for !p.accept('}') {
		if len(seen) > 0 {
			if !p.accept(',') {
				return d, p.unexpected("a comma or the end of the dict")
			}
			if p.accept('}') {
				break
			}
		}
		key, err := p.str()
		if err != nil {
			return d, err
		}
		if seen[key] {
			return d, fmt.Errorf("the header has the key %q twice", key)
		}
		seen[key] = true
		if !p.accept(':') {
			return d, p.unexpected("a colon")
		}
		switch key {
		case keyDescr:
			d.descr, err = p.descr()
		case keyFortran:
			d.fortran, err = p.boolean()
		case keyShape:
			d.shape, err = p.shape()
		default:
			err = fmt.Errorf("the header has the unknown key %q", key)
		}
		if err != nil {
			return d, err
		}
	}
	for _, key := range []string{keyDescr, keyFortran, keyShape} {
		if !seen[key] {
			return d, fmt.Errorf("the header lacks the key %q", key)
		}
	}
	return d, nil
}

// descr reads the description of the dtype: a string for every simple type, a list of fields for a structure, a tuple
// for elements that are arrays.
func (p *literalParser) descr() (string, error) {
	switch p.next() {
	case '[':
		return "", fmt.Errorf("%w: structured elements %s", ErrUnsupportedDType, p.excerpt())
	case '(':
		return "", fmt.Errorf("%w: elements that are arrays %s", ErrUnsupportedDType, p.excerpt())
	}
	return p.str()
}

// str reads a string in either kind of quotes. No string of a valid header needs an escape, so a backslash is refused.
func (p *literalParser) str() (string, error) {
	quote := p.next()
	if quote != '\'' && quote != '"' {
		return "", p.unexpected("a string")
	}
	start := p.pos + 1
	n := strings.IndexByte(p.text[start:], quote)
	if n < 0 {
		return "", errors.New("a string in the header does not end")
	}
	s := p.text[start : start+n]
	if strings.ContainsAny(s, "\\\r\n") {
		return "", fmt.Errorf("the string %q in the header has an escape or a line break", s)
	}
	p.pos = start + n + 1
	return s, nil
}

func (p *literalParser) boolean() (bool, error) {
	p.skipBlanks()
	switch rest := p.text[p.pos:]; {
	case strings.HasPrefix(rest, "True"):
		p.pos += len("True")
		return true, nil
	case strings.HasPrefix(rest, "False"):
		p.pos += len("False")
		return false, nil
	}
	return false, p.unexpected("True or False for fortran_order")
}

// shape reads a tuple of integers; a tuple of one has a comma.
func (p *literalParser) shape() ([]int, error) {
	if !p.accept('(') {
		return nil, p.unexpected("a tuple for shape")
	}
	shape := []int{}
	comma := true
	for !p.accept(')') {
		if !comma {
			return nil, p.unexpected("a comma or the end of the shape")
		}
		n, err := p.dimension()
		if err != nil {
			return nil, err
		}
		if len(shape) == maxRank {
			return nil, fmt.Errorf("the shape has more than %d axes", maxRank)
		}
		shape = append(shape, n)
		comma = p.accept(',')
	}
	if len(shape) == 1 && !comma {
		return nil, fmt.Errorf("shape (%d) is a number, not a tuple", shape[0])
	}
	return shape, nil
}

func (p *literalParser) dimension() (int, error) {
	switch c := p.next(); {
	case c == '-':
		return 0, fmt.Errorf("the shape has a negative length %s", p.excerpt())
	case !isDigit(c):
		return 0, p.unexpected("an integer in the shape")
	}
	start, n := p.pos, 0
	for ; p.pos < len(p.text) && isDigit(p.text[p.pos]); p.pos++ {
		digit := int(p.text[p.pos] - '0')
		if n > (math.MaxInt-digit)/10 {
			return 0, errors.New("a length in the shape is too large")
		}
		n = 10*n + digit
	}
	if p.text[start] == '0' && p.pos > start+1 {
		return 0, errors.New("a length in the shape has leading zeros")
	}
	if p.longSuffix && strings.HasPrefix(p.text[p.pos:], "L") {
		p.pos++
	}
	return n, nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// accept skips c if c is the next token.
func (p *literalParser) accept(c byte) bool {
	if p.next() != c || p.pos == len(p.text) {
		return false
	}
	p.pos++
	return true
}

// next returns the first byte of the next token, 0 at the end.
func (p *literalParser) next() byte {
	p.skipBlanks()
	if p.pos == len(p.text) {
		return 0
	}
	return p.text[p.pos]
}

func (p *literalParser) skipBlanks() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n\f", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

func (p *literalParser) unexpected(wanted string) error {
	if p.pos == len(p.text) {
		return fmt.Errorf("the header ends where %s should be", wanted)
	}
	return fmt.Errorf("the header has %s where %s should be", p.excerpt(), wanted)
}

// excerpt quotes the text at the parser's position.
func (p *literalParser) excerpt() string {
	const most = 32
	rest := p.text[p.pos:]
	if len(rest) <= most {
		return fmt.Sprintf("%q", rest)
	}
	return fmt.Sprintf("%q…", rest[:most])
}
