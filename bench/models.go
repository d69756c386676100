package bench

import (
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/model"
	"github.com/ndgrad/ndgrad/nn/onnx"
)

// Models returns a case for each ONNX model in a folder, which testing/onnx/fetch fills.
func Models(folder string) []Case {
	var all []Case
	add := func(name, path string, inputs func() map[string]*nd.Array) {
		path = filepath.Join(folder, path)
		if _, err := os.Stat(path); err == nil {
			all = append(all, Case{Name: "onnx/" + name, Per: 1, Setup: func() func() *nd.Array { return callOf(path, inputs()) }})
		}
	}
	image := func(shape ...int) func() map[string]*nd.Array {
		return func() map[string]*nd.Array { return map[string]*nd.Array{"x": f32(shape...)} }
	}
	voice := func() map[string]*nd.Array {
		return map[string]*nd.Array{"input": f32(1, 576), "state": nd.Zeros([]int{2, 1, 128}, dtype.Float32), "sr": nd.Full(nil, int64(16000))}
	}
	add("magika/2048/i32", "magika/models/standard_v3_3/model.onnx", func() map[string]*nd.Array {
		return map[string]*nd.Array{"bytes": integers(256, 1, 2048).AsType(dtype.Int32)}
	})
	paddle := "rapidocr_onnxruntime/models/ch_"
	add("ppocr_det/320x320/f32", paddle+"PP-OCRv4_det_infer.onnx", image(1, 3, 320, 320))
	add("ppocr_rec/48x320/f32", paddle+"PP-OCRv4_rec_infer.onnx", image(1, 3, 48, 320))
	add("ppocr_cls/2x48x192/f32", paddle+"ppocr_mobile_v2.0_cls_infer.onnx", image(2, 3, 48, 192))
	add("silero_vad/576/f32", "silero_vad/data/silero_vad.onnx", voice)
	add("silero_vad_ifless/576/f32", "silero_vad/data/silero_vad_op18_ifless.onnx", voice)
	add("minilm/32/f32", "minilm.onnx", func() map[string]*nd.Array {
		return map[string]*nd.Array{"input_ids": integers(20000, 1, 32).AsType(dtype.Int64), "attention_mask": nd.Ones([]int{1, 32}, dtype.Int64),
			"token_type_ids": nd.Zeros([]int{1, 32}, dtype.Int64)}
	})
	for _, net := range []string{"resnet50", "densenet121", "squeezenet"} {
		add(net+"/224x224/f32", "net_"+net+"/model.onnx", image(1, 3, 224, 224))
	}
	return all
}

// callOf loads a model, and returns the call that computes its outputs.
func callOf(path string, inputs map[string]*nd.Array) func() *nd.Array {
	m, err := onnx.Load(path)
	if err != nil {
		panic(err)
	}
	values := map[string]model.Value{}
	for _, in := range m.Inputs() {
		x := inputs[in.Name]
		if x == nil {
			x = inputs["x"] // the only input, whatever its name
		}
		values[in.Name] = x
	}
	return func() *nd.Array {
		for _, v := range m.CallValues(values) {
			if x, ok := v.(*nd.Array); ok {
				x.Release()
			}
		}
		return nil
	}
}
