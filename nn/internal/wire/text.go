package wire

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Message is a message in the text format: its fields in their order.
type Message []Field

// Field is a field of a text. Its value is a Message, a string (which was quoted), or a Word.
type Field struct {
	Name  string
	Value any
}

// Word is a number, true, false, or a name of an enumeration, as it stands in a text.
type Word string

// Float returns the number that a word is. A number may end with f, as in C.
func (w Word) Float() (float64, error) {
	text := string(w)
	v, err := strconv.ParseFloat(text, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		v, err = strconv.ParseFloat(strings.TrimRight(text, "fF"), 64)
	}
	if err != nil && !errors.Is(err, strconv.ErrRange) { // a number that is too large is infinite
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return v, nil
}

// Int returns the integer that a word is.
func (w Word) Int() (int64, error) {
	v, err := strconv.ParseInt(string(w), 0, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not an integer", string(w))
	}
	return v, nil
}

// Bool returns the bool that a word is.
func (w Word) Bool() (bool, error) {
	switch w {
	case "true", "True", "t", "1":
		return true, nil
	case "false", "False", "f", "0":
		return false, nil
	}
	return false, fmt.Errorf("%q is not true or false", string(w))
}

// ParseText reads a message in the text format.
func ParseText(text []byte) (Message, error) {
	const spare, bytesPerField = 1 << 18, 6
	p := &parser{text: string(text), line: 1, left: spare + len(text)/bytesPerField}
	m, err := p.message("", 0)
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", p.line, err)
	}
	return m, nil
}

// parser reads a text.
type parser struct {
	text string // names and words are parts of it
	at   int
	line int
	left int // fields that may follow, so that a small text cannot fill the memory
}

// skip moves behind blanks and comments, and returns the next character, 0 at the end.
func (p *parser) skip() byte {
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case '\n':
			p.line++
		case ' ', '\t', '\r':
		case '#':
			for p.at+1 < len(p.text) && p.text[p.at+1] != '\n' {
				p.at++
			}
		default:
			return c
		}
	}
	return 0
}

// accept moves behind a character if it comes next.
func (p *parser) accept(c byte) bool {
	if p.skip() != c {
		return false
	}
	p.at++
	return true
}

// message reads fields up to the end, a closing bracket or the end of the text.
func (p *parser) message(end string, depth int) (Message, error) {
	if err := checkDepth(depth); err != nil {
		return nil, err
	}
	m := Message{}
	for {
		switch c := p.skip(); {
		case c == 0 && end == "", c != 0 && end == string(c):
			p.at += len(end)
			return m, nil
		case c == 0:
			return nil, fmt.Errorf("the text ends where %s was expected", end)
		}
		name := p.word()
		if name == "" {
			return nil, fmt.Errorf("%q where the name of a field was expected", p.text[p.at])
		}
		if err := p.values(&m, name, depth); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if !p.accept(',') {
			p.accept(';')
		}
	}
}

// values adds the value of a field, or those of a list in brackets.
func (p *parser) values(m *Message, name string, depth int) error {
	colon := p.accept(':')
	if !p.accept('[') {
		v, err := p.value(colon, depth)
		*m = append(*m, Field{name, v})
		return err
	}
	for first := true; !p.accept(']'); first = false {
		if !first && !p.accept(',') {
			return errors.New("a list whose values are not separated by commas")
		}
		v, err := p.value(true, depth)
		if err != nil {
			return err
		}
		*m = append(*m, Field{name, v})
	}
	return nil
}

// value reads a message, a string or a word. A word or a string comes after a colon.
func (p *parser) value(colon bool, depth int) (any, error) {
	if p.left--; p.left < 0 {
		return nil, errors.New("more fields than a text of this size may have")
	}
	switch c := p.skip(); {
	case c == '{':
		p.at++
		return p.message("}", depth+1)
	case c == '<':
		p.at++
		return p.message(">", depth+1)
	case !colon:
		return nil, errors.New("want a colon or a message")
	case c == '"' || c == '\'':
		return p.strings()
	}
	if w := p.word(); w != "" {
		return Word(w), nil
	}
	return nil, errors.New("want a value")
}

// word reads letters, digits and the signs of numbers.
func (p *parser) word() string {
	start := p.at
	for ; p.at < len(p.text); p.at++ {
		c := p.text[p.at]
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-' || c == '+' || c == '.' {
			continue
		}
		break
	}
	return p.text[start:p.at]
}

// strings reads quoted texts, which are one text if they follow each other.
func (p *parser) strings() (string, error) {
	var b []byte
	for {
		quote := p.skip()
		if quote != '"' && quote != '\'' {
			break
		}
		p.at++
		for {
			if p.at >= len(p.text) || p.text[p.at] == '\n' {
				return "", errors.New("a quoted text does not end")
			}
			c := p.text[p.at]
			p.at++
			if c == quote {
				break
			}
			if c != '\\' {
				b = append(b, c)
				continue
			}
			var err error
			if b, err = p.escape(b); err != nil {
				return "", err
			}
		}
	}
	return string(b), nil
}

// escape appends the character that an escape sequence means.
func (p *parser) escape(b []byte) ([]byte, error) {
	if p.at >= len(p.text) {
		return nil, errors.New("a quoted text does not end")
	}
	c := p.text[p.at]
	p.at++
	if i := strings.IndexByte(`abfnrtv\'"?`, c); i >= 0 {
		return append(b, "\a\b\f\n\r\t\v\\'\"?"[i]), nil
	}
	switch {
	case c >= '0' && c <= '7':
		p.at--
		v, err := p.digits(3, 8)
		return append(b, byte(v)), err
	case c == 'x' || c == 'X':
		v, err := p.digits(2, 16)
		return append(b, byte(v)), err
	case c == 'u' || c == 'U':
		most := 4
		if c == 'U' {
			most = 8
		}
		v, err := p.digits(most, 16)
		if err == nil && !utf8.ValidRune(rune(v)) {
			err = fmt.Errorf("%#x is not a character", v)
		}
		return utf8.AppendRune(b, rune(v)), err
	}
	return nil, fmt.Errorf("the escape sequence \\%c is unknown", c)
}

// digits reads a number of at most that many digits, octal or hexadecimal ones.
func (p *parser) digits(most, base int) (uint64, error) {
	allowed := "0123456789abcdefABCDEF"
	if base == 8 {
		allowed = allowed[:8]
	}
	start := p.at
	for p.at < min(start+most, len(p.text)) && strings.IndexByte(allowed, p.text[p.at]) >= 0 {
		p.at++
	}
	return strconv.ParseUint(p.text[start:p.at], base, 32)
}

// AppendText appends a message in the text format, indented by that many levels.
func (m Message) AppendText(out []byte, level int) []byte {
	indent := strings.Repeat("  ", level)
	for _, f := range m {
		out = append(append(out, indent...), f.Name...)
		switch v := f.Value.(type) {
		case Message:
			out = append(out, " {\n"...)
			out = append(v.AppendText(out, level+1), indent...)
			out = append(out, "}\n"...)
		case Word:
			out = append(append(append(out, ": "...), v...), '\n')
		case string:
			out = append(quote(append(out, ": "...), v), '\n')
		case numbers:
			out = v.appendText(out[:len(out)-len(f.Name)-len(indent)], indent+f.Name+": ")
		}
	}
	return out
}

// quote appends a quoted text, in the form of the C++ printer.
func quote(out []byte, text string) []byte {
	out = append(out, '"')
	for _, c := range []byte(text) {
		switch c {
		case '\n':
			out = append(out, `\n`...)
		case '\r':
			out = append(out, `\r`...)
		case '\t':
			out = append(out, `\t`...)
		case '"', '\'', '\\':
			out = append(out, '\\', c)
		default:
			if c < ' ' || c >= 0x7f {
				out = fmt.Appendf(out, `\%03o`, c)
			} else {
				out = append(out, c)
			}
		}
	}
	return append(out, '"')
}
