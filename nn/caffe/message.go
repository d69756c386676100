package caffe

import "github.com/ndgrad/ndgrad/nn/internal/wire"

// The messages of caffe.proto, as far as they are read. Pointers are fields whose default is not zero.
type (
	netParameter struct {
		Name   string          `pb:"1"`
		Layers []*oldLayer     `pb:"2"`
		Layer  []*layerMessage `pb:"100"`
	}

	// layerMessage is LayerParameter.
	layerMessage struct {
		Name         string                 `pb:"1"`
		Type         string                 `pb:"2"`
		Bottom       []string               `pb:"3"`
		Top          []string               `pb:"4"`
		Blobs        []*blob                `pb:"7"`
		Concat       *concatParameter       `pb:"104"`
		Convolution  *convolutionParameter  `pb:"106"`
		Dropout      *dropoutParameter      `pb:"108"`
		Eltwise      *eltwiseParameter      `pb:"110"`
		InnerProduct *innerProductParameter `pb:"117"`
		LRN          *lrnParameter          `pb:"118"`
		Pooling      *poolingParameter      `pb:"121"`
		ReLU         *reluParameter         `pb:"123"`
		Softmax      *softmaxParameter      `pb:"125"`
		Slice        *sliceParameter        `pb:"126"`
		Reshape      *reshapeParameter      `pb:"133"`
		BatchNorm    *batchNormParameter    `pb:"139"`
		Scale        *scaleParameter        `pb:"142"`
	}

	// oldLayer is V1LayerParameter.
	oldLayer struct {
		Bottom       []string               `pb:"2"`
		Top          []string               `pb:"3"`
		Name         string                 `pb:"4"`
		Type         int32                  `pb:"5"`
		Blobs        []*blob                `pb:"6"`
		Concat       *concatParameter       `pb:"9"`
		Convolution  *convolutionParameter  `pb:"10"`
		Dropout      *dropoutParameter      `pb:"12"`
		InnerProduct *innerProductParameter `pb:"17"`
		LRN          *lrnParameter          `pb:"18"`
		Pooling      *poolingParameter      `pb:"19"`
		Eltwise      *eltwiseParameter      `pb:"24"`
		ReLU         *reluParameter         `pb:"30"`
		Slice        *sliceParameter        `pb:"31"`
		Softmax      *softmaxParameter      `pb:"39"`
	}

	blob struct {
		Num        int32                 `pb:"1"`
		Channels   int32                 `pb:"2"`
		Height     int32                 `pb:"3"`
		Width      int32                 `pb:"4"`
		Data       wire.Numbers[float32] `pb:"5,packed"`
		Shape      *blobShape            `pb:"7"`
		DoubleData wire.Numbers[float64] `pb:"8,packed"`
	}

	blobShape struct {
		Dim []int64 `pb:"1,packed"`
	}

	concatParameter struct {
		ConcatDim *uint32 `pb:"1"`
		Axis      *int32  `pb:"2"`
	}

	convolutionParameter struct {
		BiasTerm   *bool    `pb:"2"`
		Pad        []uint32 `pb:"3"`
		KernelSize []uint32 `pb:"4"`
		Group      *uint32  `pb:"5"`
		Stride     []uint32 `pb:"6"`
		PadH       uint32   `pb:"9"`
		PadW       uint32   `pb:"10"`
		StrideH    uint32   `pb:"13"`
		StrideW    uint32   `pb:"14"`
		Dilation   []uint32 `pb:"18"`
	}

	dropoutParameter struct {
		DropoutRatio *float32 `pb:"1"`
	}

	eltwiseParameter struct {
		Operation *int32    `pb:"1"`
		Coeff     []float32 `pb:"2"`
	}

	innerProductParameter struct {
		BiasTerm  *bool  `pb:"2"`
		Axis      *int32 `pb:"5"`
		Transpose bool   `pb:"6"`
	}

	lrnParameter struct {
		LocalSize  *uint32  `pb:"1"`
		Alpha      *float32 `pb:"2"`
		Beta       *float32 `pb:"3"`
		NormRegion int32    `pb:"4"`
		K          *float32 `pb:"5"`
	}

	poolingParameter struct {
		Pool          int32   `pb:"1"`
		KernelSize    uint32  `pb:"2"`
		Stride        *uint32 `pb:"3"`
		Pad           uint32  `pb:"4"`
		KernelH       uint32  `pb:"5"`
		KernelW       uint32  `pb:"6"`
		StrideH       uint32  `pb:"7"`
		StrideW       uint32  `pb:"8"`
		PadH          uint32  `pb:"9"`
		PadW          uint32  `pb:"10"`
		GlobalPooling bool    `pb:"12"`
	}

	reluParameter struct {
		NegativeSlope float32 `pb:"1"`
	}

	reshapeParameter struct {
		Shape *blobShape `pb:"1"`
	}

	batchNormParameter struct {
		UseGlobalStats        bool     `pb:"1"`
		MovingAverageFraction *float32 `pb:"2"`
		Eps                   *float32 `pb:"3"`
	}

	scaleParameter struct {
		Axis     *int32 `pb:"1"`
		BiasTerm bool   `pb:"4"`
	}

	sliceParameter struct {
		SliceDim   *uint32  `pb:"1"`
		SlicePoint []uint32 `pb:"2"`
		Axis       *int32   `pb:"3"`
	}

	softmaxParameter struct {
		Axis *int32 `pb:"2"`
	}
)

// oldType returns the type with a number in the old format, or "" if it is not supported.
func oldType(number int32) string {
	switch number {
	case 3:
		return "Concat"
	case 4:
		return "Convolution"
	case 5:
		return "Data"
	case 6:
		return "Dropout"
	case 14:
		return "InnerProduct"
	case 15:
		return "LRN"
	case 17:
		return "Pooling"
	case 18:
		return "ReLU"
	case 19:
		return "Sigmoid"
	case 20:
		return "Softmax"
	case 21:
		return "SoftmaxWithLoss"
	case 22:
		return "Split"
	case 25:
		return "Eltwise"
	case 33:
		return "Slice"
	case 39:
		return "Deconvolution"
	}
	return ""
}

// renewed returns a layer of the old format as one of the new format.
func (l *oldLayer) renewed() *layerMessage {
	return &layerMessage{Name: l.Name, Type: oldType(l.Type), Bottom: l.Bottom, Top: l.Top, Blobs: l.Blobs, Concat: l.Concat, Convolution: l.Convolution,
		Dropout: l.Dropout, Eltwise: l.Eltwise, InnerProduct: l.InnerProduct, LRN: l.LRN, Pooling: l.Pooling, ReLU: l.ReLU, Softmax: l.Softmax, Slice: l.Slice}
}
