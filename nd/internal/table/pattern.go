package table

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/nd/internal/text"
)

// pattern is a format in C's notation: a sequence of texts and conversions.
type pattern []patternPiece

type patternPiece struct {
	literal string
	verb    byte // 0: the piece is the literal alone; else the conversion that follows it
	flags   string
	width   int
	digits  int // the precision; -1 if not given
}

// maxPatternWidth is the largest width and precision.
const maxPatternWidth = 1000

func parsePattern(format string) (pattern, error) {
	var p pattern
	literal := ""
	for rest := format; rest != ""; {
		before, after, found := strings.Cut(rest, "%")
		literal += before
		rest = after
		if !found {
			break
		}
		if strings.HasPrefix(rest, "%") {
			literal, rest = literal+"%", rest[1:]
			continue
		}
		piece := patternPiece{literal: literal, digits: -1}
		literal = ""
		var err error
		if rest, err = piece.parse(rest); err != nil {
			return nil, fmt.Errorf("format %q: %w", format, err)
		}
		p = append(p, piece)
	}
	return append(p, patternPiece{literal: literal}), nil
}

// parse reads the text after the sign %, and returns the rest.
func (c *patternPiece) parse(s string) (rest string, err error) {
	body := strings.TrimLeft(s, "-+ 0#")
	c.flags = s[:len(s)-len(body)]
	if c.width, body, err = leadingNumber(body); err != nil {
		return "", err
	}
	if after, ok := strings.CutPrefix(body, "."); ok {
		if c.digits, body, err = leadingNumber(after); err != nil {
			return "", err
		}
	}
	body = strings.TrimLeft(body, "hlL") // the length modifiers of C have no meaning here
	if body == "" {
		return "", errors.New("it ends within a conversion")
	}
	c.verb = body[0]
	if strings.IndexByte("diuoxXeEfFgGsr", c.verb) < 0 {
		return "", fmt.Errorf("conversion %q: want one of d i u o x X e E f F g G s r", c.verb)
	}
	return body[1:], nil
}

// leadingNumber reads the digits at the beginning of s; without digits it returns 0.
func leadingNumber(s string) (n int, rest string, err error) {
	rest = strings.TrimLeft(s, "0123456789")
	if digits := s[:len(s)-len(rest)]; digits != "" {
		if n, err = strconv.Atoi(digits); err != nil || n > maxPatternWidth {
			return 0, "", fmt.Errorf("width or precision %s is above %d", digits, maxPatternWidth)
		}
	}
	return n, rest, nil
}

func (p pattern) conversions() int { return len(p) - 1 }

// append writes the numbers, one per conversion.
func (p pattern) append(out []byte, numbers []number) ([]byte, error) {
	for k, piece := range p {
		out = append(out, piece.literal...)
		if piece.verb == 0 {
			continue
		}
		body, err := piece.format(numbers[k])
		if err != nil {
			return nil, fmt.Errorf("number %d: %w", k+1, err)
		}
		out = piece.pad(out, body)
	}
	return out, nil
}

func (c *patternPiece) has(flag byte) bool { return strings.IndexByte(c.flags, flag) >= 0 }

// format writes a number without padding.
func (c *patternPiece) format(n number) (string, error) {
	switch c.verb {
	case 's', 'r':
		s := text.Scalar(n.dtype, n.values())
		if c.verb == 'r' {
			s = text.ScalarRepr(n.dtype, n.values())
		}
		if c.digits >= 0 && c.digits < len(s) {
			s = s[:c.digits]
		}
		return s, nil
	case 'd', 'i', 'u':
		i, err := n.whole()
		if err != nil {
			return "", err
		}
		return c.integer(i, 10), nil
	case 'o', 'x', 'X':
		if n.dtype.IsFloat() {
			return "", fmt.Errorf("conversion %q is of integers", c.verb)
		}
		i, _ := n.whole()
		base := 16
		if c.verb == 'o' {
			base = 8
		}
		return c.integer(i, base), nil
	}
	return c.float(n), nil
}

// integer writes the sign and the digits. The precision is the minimal number of digits.
func (c *patternPiece) integer(i *big.Int, base int) string {
	digits := new(big.Int).Abs(i).Text(base)
	if c.digits > len(digits) {
		digits = strings.Repeat("0", c.digits-len(digits)) + digits
	}
	if c.has('#') && base != 10 {
		digits = map[int]string{8: "0o", 16: "0x"}[base] + digits
	}
	if c.verb == 'X' {
		digits = strings.ToUpper(digits)
	}
	return c.sign(i.Sign() < 0) + digits
}

func (c *patternPiece) float(n number) string {
	v, exact := n.float()
	size := math.Abs(v)
	digits := c.digits
	if digits < 0 {
		digits = 6
	}
	verb := c.verb | 0x20 // lower case
	var s string
	switch {
	case math.IsNaN(v):
		s = "nan"
	case math.IsInf(v, 0):
		s = "inf"
	case exact != nil:
		s = c.bigFloat(exact.Abs(exact), verb, digits)
	case c.has('#'):
		s = fmt.Sprintf("%#.*"+string(rune(verb)), digits, size)
	default:
		s = strconv.FormatFloat(size, verb, digits, 64)
	}
	if verb != c.verb {
		s = strings.ToUpper(s)
	}
	return c.sign(math.Signbit(v) && !math.IsNaN(v)) + s
}

// bigFloat writes an integer of 54 to 64 bits. With the flag #, it has a point, and keeps the zeros at its end.
func (c *patternPiece) bigFloat(v *big.Float, verb byte, digits int) string {
	if !c.has('#') {
		return v.Text(verb, digits)
	}
	if verb == 'g' {
		verb, digits = 'e', max(digits, 1)-1
		_, power, _ := strings.Cut(v.Text('e', digits), "e")
		if exponent, _ := strconv.Atoi(power); exponent <= digits {
			verb, digits = 'f', digits-exponent
		}
	}
	s := v.Text(verb, digits)
	if digits > 0 {
		return s
	}
	whole, power, found := strings.Cut(s, "e")
	if found {
		power = "e" + power
	}
	return whole + "." + power
}

func (c *patternPiece) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case c.has('+'):
		return "+"
	case c.has(' '):
		return " "
	}
	return ""
}

// pad pads to the width: with blanks on the left or right, or with zeros between the sign and the digits.
func (c *patternPiece) pad(out []byte, body string) []byte {
	missing := c.width - len(body)
	switch {
	case missing <= 0:
		return append(out, body...)
	case c.has('-'):
		return append(append(out, body...), strings.Repeat(" ", missing)...)
	case c.has('0') && c.verb != 's' && c.verb != 'r':
		lead := len(body) - len(strings.TrimLeft(body, "+- "))
		if strings.HasPrefix(body[lead:], "0x") || strings.HasPrefix(body[lead:], "0X") || strings.HasPrefix(body[lead:], "0o") {
			lead += 2
		}
		out = append(out, body[:lead]...)
		return append(append(out, strings.Repeat("0", missing)...), body[lead:]...)
	}
	return append(append(out, strings.Repeat(" ", missing)...), body...)
}
