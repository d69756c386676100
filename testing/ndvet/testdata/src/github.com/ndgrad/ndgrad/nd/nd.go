// Package nd stands for the library's: its functions are declared as there, and do nothing.
package nd

type (
	Array        struct{ p *int }
	Arena        struct{ owned []*Array }
	Func         string
	Temporaries  struct{ arena Arena }
	Rand         struct{ state uint64 }
	Index        struct{ array *Array }
	ArrayOptions struct{}
	ArrayOption  interface{ ArrayOption() }
	Number       interface{ int | float32 | float64 }
	Operand      interface{ *Array | Number }
)

func NewRand(seed uint64) *Rand                                          { return nil }
func FromSlice[T float32 | float64 | int](data []T, shape ...int) *Array { return nil }
func Data[T float32 | float64](x *Array) []T                             { return nil }
func ToSlice[T float32 | float64](x *Array) []T                          { return nil }
func Value[T float32 | float64 | bool | int](x *Array, index ...int) T   { return *new(T) }
func Scalar[V Number](v V) *Array                                        { return nil }
func Zeros(shape []int, opts ...ArrayOption) *Array                      { return nil }
func Ones(shape []int, opts ...ArrayOption) *Array                       { return nil }
func LoadNpy(path string) (*Array, error)                                { return nil, nil }
func Catch(f func()) (err error)                                         { return nil }
func Tidy(x *Array, f func(x *Array) *Array) *Array                      { return nil }
func TidyAll(f func(), variables ...**Array)                             {}
func At(i int) Index                                                     { return Index{} }
func (o ArrayOptions) ArrayOption()                                      {}
func NewArena() *Arena                                                   { return nil }
func (a *Arena) Adopt(x *Array) *Array                                   { return nil }
func (a *Arena) Keep(x *Array) *Array                                    { return nil }
func (a *Arena) Release()                                                {}
func (x *Array) Release()                                                {}
func (x *Array) IsReleased() bool                                        { return false }
func (x *Array) Shape() []int                                            { return nil }
func (x *Array) T() *Array                                               { return nil }
func (x *Array) Reshape(shape ...int) *Array                             { return nil }
func (x *Array) Copy() *Array                                            { return nil }
func (x *Array) Index(ix ...Index) *Array                                { return nil }
func (x *Array) Assign(value *Array, ix ...Index)                        {}

func (fn Func) Temporaries(arguments ...**Array) *Temporaries { return nil }
func (t *Temporaries) Own(x *Array) *Array                    { return nil }
func (t *Temporaries) Keep(x *Array) *Array                   { return nil }
func (t *Temporaries) Release()                               {}
