package onnx

import "github.com/ndgrad/ndgrad/nn/internal/wire"

// The messages of onnx.proto, as far as they are used. Field numbers are ONNX's.

type modelMessage struct {
	IrVersion       int64              `pb:"1"`
	ProducerName    string             `pb:"2"`
	ProducerVersion string             `pb:"3"`
	Domain          string             `pb:"4"`
	ModelVersion    int64              `pb:"5"`
	DocString       string             `pb:"6"`
	Graph           *graphMessage      `pb:"7"`
	OpsetImport     []*opsetMessage    `pb:"8"`
	MetadataProps   []*entryMessage    `pb:"14"`
	Functions       []*functionMessage `pb:"25"`
}

type opsetMessage struct {
	Domain  string `pb:"1"`
	Version int64  `pb:"2"`
}

type entryMessage struct {
	Key   string `pb:"1"`
	Value string `pb:"2"`
}

type graphMessage struct {
	Node              []*nodeMessage   `pb:"1"`
	Name              string           `pb:"2"`
	Initializer       []*tensorMessage `pb:"5"`
	DocString         string           `pb:"10"`
	Input             []*valueMessage  `pb:"11"`
	Output            []*valueMessage  `pb:"12"`
	ValueInfo         []*valueMessage  `pb:"13"`
	SparseInitializer []*sparseMessage `pb:"15"`
}

type nodeMessage struct {
	Input     []string            `pb:"1"`
	Output    []string            `pb:"2"`
	Name      string              `pb:"3"`
	OpType    string              `pb:"4"`
	Attribute []*attributeMessage `pb:"5"`
	DocString string              `pb:"6"`
	Domain    string              `pb:"7"`
	Overload  string              `pb:"8"`
}

type functionMessage struct {
	Name           string              `pb:"1"`
	Input          []string            `pb:"4"`
	Output         []string            `pb:"5"`
	Attribute      []string            `pb:"6"`
	Node           []*nodeMessage      `pb:"7"`
	OpsetImport    []*opsetMessage     `pb:"9"`
	Domain         string              `pb:"10"`
	AttributeProto []*attributeMessage `pb:"11"`
	Overload       string              `pb:"13"`
}

// attributeMessage is an attribute of a node. RefAttrName, in the body of a function, names the attribute of the call whose
// value it has.
type attributeMessage struct {
	Name          string           `pb:"1"`
	F             float32          `pb:"2"`
	I             int64            `pb:"3"`
	S             []byte           `pb:"4"`
	T             *tensorMessage   `pb:"5"`
	G             *graphMessage    `pb:"6"`
	Floats        []float32        `pb:"7"`
	Ints          []int64          `pb:"8"`
	Strings       [][]byte         `pb:"9"`
	Tensors       []*tensorMessage `pb:"10"`
	Graphs        []*graphMessage  `pb:"11"`
	DocString     string           `pb:"13"`
	Tp            *typeMessage     `pb:"14"`
	TypeProtos    []*typeMessage   `pb:"15"`
	Type          int32            `pb:"20"`
	RefAttrName   string           `pb:"21"`
	SparseTensor  *sparseMessage   `pb:"22"`
	SparseTensors []*sparseMessage `pb:"23"`
}

// Types of attributes.
const (
	attributeFloat = iota + 1
	attributeInt
	attributeString
	attributeTensor
	attributeGraph
	attributeFloats
	attributeInts
	attributeStrings
	attributeTensors
	attributeGraphs
	attributeSparse
	_
	attributeType
)

type tensorMessage struct {
	Dims         []int64               `pb:"1"`
	DataType     ElementType           `pb:"2"`
	FloatData    wire.Numbers[float32] `pb:"4,packed"`
	Int32Data    []int32               `pb:"5,packed"`
	StringData   [][]byte              `pb:"6"`
	Int64Data    []int64               `pb:"7,packed"`
	Name         string                `pb:"8"`
	RawData      wire.Numbers[byte]    `pb:"9,packed"`
	DoubleData   wire.Numbers[float64] `pb:"10,packed"`
	Uint64Data   []uint64              `pb:"11,packed"`
	DocString    string                `pb:"12"`
	ExternalData []*entryMessage       `pb:"13"`
	DataLocation int32                 `pb:"14"`
}

type sparseMessage struct {
	Values  *tensorMessage `pb:"1"`
	Indices *tensorMessage `pb:"2"`
	Dims    []int64        `pb:"3"`
}

type valueMessage struct {
	Name      string       `pb:"1"`
	Type      *typeMessage `pb:"2"`
	DocString string       `pb:"3"`
}

// typeMessage is the type of a value: one of its fields is set.
type typeMessage struct {
	TensorType   *tensorTypeMessage  `pb:"1"`
	SequenceType *elementTypeMessage `pb:"4"`
	MapType      *mapTypeMessage     `pb:"5"`
	SparseType   *tensorTypeMessage  `pb:"8"`
	OptionalType *elementTypeMessage `pb:"9"`
}

type tensorTypeMessage struct {
	ElemType ElementType   `pb:"1"`
	Shape    *shapeMessage `pb:"2"`
}

type elementTypeMessage struct {
	ElemType *typeMessage `pb:"1"`
}

type mapTypeMessage struct {
	KeyType   ElementType  `pb:"1"`
	ValueType *typeMessage `pb:"2"`
}

type shapeMessage struct {
	Dim []*dimMessage `pb:"1"`
}

// dimMessage is the length of an axis, or its name. DimValue is nil if the length is not stated.
type dimMessage struct {
	DimValue *int64 `pb:"1"`
	DimParam string `pb:"2"`
}
