package catalogue

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/image"
)

// detectionRows is the chapter of bounding boxes.
var detectionRows = []Row{
	{Signature: "mxnet.npx.box_nms(data, overlap_thresh=0.5, valid_thresh=0, topk=-1, coord_start=2, score_index=1, id_index=-1, " +
		"background_id=-1, force_suppress=False, in_format='corner', out_format='corner')", Func: mxnetBoxNMS, StraightThrough: true,
		Note: "the gradient is that of selecting rows, for all formats"},
	{Signature: "mxnet.npx.bipartite_matching(data, threshold, is_ascend=False, topk=-1)",
		Func: func(scores *nd.Array, threshold float64, ascending bool, topK int) (columns, rows *nd.Array) {
			if topK > 0 {
				topK++ // MXNet stops only after topk + 1
			}
			return image.BipartiteMatching(scores, threshold, image.MatchingOptions{Ascending: ascending, TopK: topK})
		}, NoGrad: true, Note: "matches one pair more than topk, as MXNet does"},
}

func mxnetBoxNMS(x *nd.Array, overlap, valid float64, topK, coordinates, score, class, background int, force bool, in, out string) *nd.Array {
	return image.BoxNMS(x, image.BoxNMSOptions{Overlap: &overlap, Valid: valid, TopK: &topK, Coordinates: &coordinates, Score: &score,
		Class: &class, Background: new(float64(background)), Force: force, InCenter: boxesInCenter(x, in), OutCenter: boxesInCenter(x, out)})
}

func boxesInCenter(x *nd.Array, format string) bool {
	switch format {
	case "corner":
		return false
	case "center":
		return true
	}
	panic(nd.Func("box_nms").Errorf([]*nd.Array{x}, "format %q: want corner or center", format))
}
