package gonames

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Call is a name that [Functions] returns as a Go expression, with a function that declares its variables and contains
// it, which tests compile.
type Call struct {
	Text      string // loss.Hinge(x, t)
	Check     string
	Variables []Variable
	Imports   map[string]string // the paths of the packages in Check, by the names that it gives them
	Results   int               // the number of results of a call
	InOrder   int               // how many documented arguments, from the first one, the call takes in their order
}

// Variable is a variable of a call, with its type as Check writes it.
type Variable struct{ Name, Type string }

// Write returns the call of a function or method, the selection of a field or the literal of a type. Variables have the
// names of the library's parameters; a receiver has the name of its type, or its first letter if a package has that
// name. The call has no options but the given ones.
func Write(source, name string, options ...Options) (Call, error) {
	s, err := load(source)
	if err != nil {
		return Call{}, err
	}
	object, owner, err := s.lookup(name)
	if err != nil {
		return Call{}, err
	}
	w := &writer{imports: map[string]string{}}
	receiver := ""
	if owner != nil {
		receiver = variable(owner.Obj().Name())
		if s.packages[receiver] != "" {
			receiver = receiver[:1] // not the package
		}
		w.declare(receiver, w.instance(owner))
	}
	c := Call{Imports: w.imports}
	switch object := object.(type) {
	case *types.Func:
		var o Options
		if options != nil {
			o = options[0]
		}
		if c.Text, err = w.call(object, receiver, o); err != nil {
			return Call{}, fmt.Errorf("%s: %w", name, err)
		}
		c.Results = object.Signature().Results().Len()
		if o.Arguments == nil {
			c.InOrder = inOrder(object.Signature())
		}
		if owner != nil {
			c.InOrder++ // the receiver
		}
	case *types.Var:
		c.InOrder = 1
		c.Text = receiver + "." + object.Name()
		w.statement("_ = " + c.Text)
	case *types.TypeName:
		c.Text = object.Pkg().Name() + "." + object.Name()
		t := w.instance(object.Type().(*types.Named))
		switch {
		case literal(object.Type()) && strings.Contains(t, "["):
			c.Text = t + "{}"
			w.statement("_ = " + c.Text)
		case literal(object.Type()):
			c.Text += "{}"
			w.statement("_ = " + c.Text)
		default:
			w.statement("var _ " + t)
		}
		w.use(object.Pkg())
	default:
		return Call{}, fmt.Errorf("%s is a %T", name, object)
	}
	parameters := make([]string, len(w.variables))
	for i, v := range w.variables {
		parameters[i] = v.Name + " " + v.Type
	}
	c.Variables = w.variables
	c.Check = "func _(" + strings.Join(parameters, ", ") + ") { " + w.body + " }"
	return c, nil
}

// lookup finds the object of a name that Functions returns, and for methods and fields the type.
func (s *source) lookup(name string) (types.Object, *types.Named, error) {
	parts := strings.Split(name, ".")
	first := parts[0]
	if path := s.packages[first]; path != "" {
		p, err := s.imports.Import(path)
		if err != nil {
			return nil, nil, err
		}
		object := p.Scope().Lookup(parts[1])
		if object == nil || !object.Exported() {
			return nil, nil, fmt.Errorf("%s does not exist", name)
		}
		if len(parts) == 2 {
			return object, nil, nil
		}
		return member(p, object, parts[2])
	}
	for _, path := range s.paths {
		p, err := s.imports.Import(path)
		if err != nil {
			return nil, nil, err
		}
		if object, owner, err := member(p, p.Scope().Lookup(first), parts[1]); err == nil {
			return object, owner, nil
		}
	}
	return nil, nil, fmt.Errorf("%s does not exist", name)
}

// member finds a method or a field of a type.
func member(p *types.Package, of types.Object, name string) (types.Object, *types.Named, error) {
	t, ok := of.(*types.TypeName)
	if !ok {
		return nil, nil, fmt.Errorf("%s is no type", of)
	}
	named, ok := t.Type().(*types.Named)
	if object, _, _ := types.LookupFieldOrMethod(t.Type(), true, p, name); ok && object != nil && object.Exported() {
		return object, named, nil
	}
	return nil, nil, fmt.Errorf("%s has no %s", t.Name(), name)
}

// literal reports whether users write literals of a type: it is a slice, or a struct with exported fields.
func literal(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return true
	case *types.Struct:
		for field := range t.Fields() {
			if field.Exported() {
				return true
			}
		}
	}
	return false
}

// variable returns a name for a value of a type.
func variable(typeName string) string {
	switch typeName {
	case "Array":
		return "x"
	case "Func":
		return "fn"
	case "Device":
		return "dev"
	case "DType":
		return "d"
	}
	runes := []rune(typeName)
	n := 1
	for n < len(runes) && unicode.IsUpper(runes[n]) && (n+1 == len(runes) || !unicode.IsLower(runes[n+1])) {
		n++
	}
	text := strings.ToLower(string(runes[:n])) + string(runes[n:])
	if token.IsKeyword(text) {
		text += "_"
	}
	return text
}

// writer collects the variables of an expression and the packages of their types.
type writer struct {
	variables []Variable
	body      string
	imports   map[string]string
}

func (w *writer) declare(name, t string) {
	w.variables = append(w.variables, Variable{name, t})
}

// declared returns the index of a variable, or -1.
func (w *writer) declared(name string) int {
	return slices.IndexFunc(w.variables, func(v Variable) bool { return v.Name == name })
}

func (w *writer) statement(text string) { w.body = text }

// use returns the name of a package in the checks. The library's packages keep theirs; others, which may have the same
// names, get longer ones.
func (w *writer) use(p *types.Package) string {
	name := p.Name()
	if !public(p.Path()) {
		name = "other_" + strings.NewReplacer("/", "_", ".", "_", "-", "_").Replace(p.Path())
	}
	w.imports[name] = p.Path()
	return name
}

// instance writes a type. It fills in float64 or any for type parameters, as far as their constraints permit.
func (w *writer) instance(t types.Type) string {
	if named, ok := t.(*types.Named); ok && named.TypeParams().Len() > 0 && named.TypeArgs().Len() == 0 {
		var arguments []types.Type
		for p := range named.TypeParams().TypeParams() {
			arguments = append(arguments, argumentFor(p))
		}
		if filled, err := types.Instantiate(nil, named, arguments, false); err == nil {
			t = filled
		}
	}
	return types.TypeString(t, w.use)
}

// argumentFor returns a type for a type parameter.
func argumentFor(p *types.TypeParam) types.Type {
	constraint := p.Constraint().Underlying().(*types.Interface)
	for _, name := range []string{"any", "float64", "int", "string"} {
		if t := types.Universe.Lookup(name).Type(); types.Satisfies(t, constraint) {
			return t
		}
	}
	for e := range constraint.EmbeddedTypes() {
		if union, ok := e.(*types.Union); ok {
			return union.Term(0).Type()
		}
	}
	return types.Universe.Lookup("any").Type()
}

// call writes the call of a function, or of a method of a receiver, with options.
func (w *writer) call(f *types.Func, receiver string, o Options) (string, error) {
	signature := f.Signature()
	text := f.Name()
	if receiver != "" {
		text = receiver + "." + text
	} else {
		text = w.use(f.Pkg()) + "." + text
	}
	if parameters := slices.Collect(signature.TypeParams().TypeParams()); len(parameters) > 0 {
		inferred := true
		var arguments []types.Type
		for _, p := range parameters {
			inferred = inferred && mentions(signature.Params(), p)
			arguments = append(arguments, argumentFor(p))
		}
		filled, err := types.Instantiate(nil, signature, arguments, false)
		if err == nil {
			signature = filled.(*types.Signature)
		}
		if !inferred {
			var list []string
			for _, a := range arguments {
				list = append(list, types.TypeString(a, w.use))
			}
			text += "[" + strings.Join(list, ", ") + "]"
		}
	}
	var arguments []string
	written, err := w.arguments(o, signature)
	if err != nil {
		return "", err
	}
	for i := range signature.Params().Len() {
		p := signature.Params().At(i)
		if i < len(written) && written[i] != "" {
			arguments = append(arguments, written[i])
			continue
		}
		last := signature.Variadic() && i == signature.Params().Len()-1
		if last && isOption(p.Type().(*types.Slice).Elem()) {
			text, err := w.options(o, p.Type().(*types.Slice).Elem())
			if err != nil {
				return "", err
			}
			if text != "" {
				arguments = append(arguments, text)
			}
			break
		}
		if !last && o.fits(p.Type()) {
			text, err := w.options(o, p.Type())
			if err != nil {
				return "", err
			}
			arguments = append(arguments, text)
			o = Options{}
			continue
		}
		name := p.Name()
		if name == "" || name == "_" || w.declared(name) >= 0 {
			name = "v" + strconv.Itoa(i)
		}
		w.declare(name, types.TypeString(p.Type(), w.use))
		if last {
			name += "..."
		}
		arguments = append(arguments, name)
	}
	text += "(" + strings.Join(arguments, ", ") + ")"
	w.statement(text)
	return text, nil
}

// inOrder counts the parameters that take documented arguments.
func inOrder(signature *types.Signature) (n int) {
	for p := range signature.Params().Variables() {
		t := p.Type()
		if list, ok := t.(*types.Slice); ok {
			t = list.Elem()
		}
		switch name := typeName(t); {
		case isOption(t), name == "Rand", name == "Scope", name == "TB":
		default:
			n++
		}
	}
	return n
}

// mentions reports whether a parameter's type depends on a type parameter.
func mentions(parameters *types.Tuple, p *types.TypeParam) bool {
	for v := range parameters.Variables() {
		if slices.Contains(strings.FieldsFunc(types.TypeString(v.Type(), nil), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }), p.Obj().Name()) {
			return true
		}
	}
	return false
}

// isOption reports whether a type is that of options, which end the parameters of a function.
func isOption(t types.Type) bool {
	name := typeName(t)
	return strings.HasSuffix(name, "Options") || strings.HasSuffix(name, "Option") || name == "Axes"
}
