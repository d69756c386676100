package nnabla

import "github.com/ndgrad/ndgrad/nn/internal/wire"

// The messages of NNabla's files, without the parts that have no meaning here. The numbers are those of nnabla_pb2.

// contents is a whole file. Networks, which may be large, are read from the text by themselves.
type contents struct {
	Network   [][]byte     `pb:"100"`
	Parameter []*parameter `pb:"200"`
}

type shape struct {
	Dim []int64 `pb:"1,packed"`
}

type parameter struct {
	VariableName string                `pb:"1"`
	Shape        *shape                `pb:"20"`
	Data         wire.Numbers[float32] `pb:"100,packed"`
	NeedGrad     bool                  `pb:"101"`
}

// optimizer is the whole of a file of solver states.
type optimizer struct {
	Solver *solver `pb:"30"`
}

type solver struct {
	States []*stateEntry `pb:"40"`
}

type stateEntry struct {
	Key   string `pb:"1"`
	Value *state `pb:"2"`
}

type state struct {
	T              uint32            `pb:"1"`
	StateParameter []*stateParameter `pb:"2"`
}

type stateParameter struct {
	Key   string      `pb:"1"`
	Value *stateArray `pb:"2"`
}

type stateArray struct {
	Shape *shape                `pb:"20"`
	Data  wire.Numbers[float32] `pb:"100,packed"`
}

// The messages of networks, which are read only as text: the numbers of their fields are not used.

type network struct {
	Name     string       `pb:"1"`
	Variable []*variable  `pb:"100"`
	Function []*function  `pb:"200"`
	Rest     []wire.Field `pb:",rest"`
}

type variable struct {
	Name        string       `pb:"1"`
	Type        string       `pb:"2"`
	Shape       *shape       `pb:"20"`
	Initializer *initial     `pb:"100"`
	Rest        []wire.Field `pb:",rest"`
}

type initial struct {
	Type       string  `pb:"2"`
	Multiplier float32 `pb:"10"`
}

type function struct {
	Name     string       `pb:"1"`
	Type     string       `pb:"2"`
	RepeatID []string     `pb:"3,name=repeat_id"`
	Input    []string     `pb:"20"`
	Output   []string     `pb:"30"`
	Rest     []wire.Field `pb:",rest"`
}

type executor struct {
	Name              string       `pb:"1"`
	NetworkName       string       `pb:"10"`
	DataVariable      []*reference `pb:"50"`
	GeneratorVariable []*reference `pb:"60"`
	OutputVariable    []*reference `pb:"80"`
	Rest              []wire.Field `pb:",rest"`
}

// reference names a variable of a network.
type reference struct {
	VariableName string       `pb:"1"`
	Rest         []wire.Field `pb:",rest"`
}
