# ---- networks in files

import onnxruntime


def models():
    def model(name, path, **inputs):
        path = os.path.join(sys.argv[4], path)

        def setup():
            options = onnxruntime.SessionOptions()
            options.log_severity_level = 3
            options.intra_op_num_threads = threads
            session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
            known = [i.name for i in session.get_inputs()]
            given = {k if k in known else known[0]: make() for k, make in inputs.items()}
            return lambda: session.run(None, given)

        if os.path.exists(path):
            made(name, numpy=setup)

    def numbers(*shape):
        return lambda: single(*shape)

    def words(limit, *shape, dtype=np.int64):
        return lambda: whole(limit, *shape).astype(dtype)

    paddle, voice, voices = "rapidocr_onnxruntime/models/ch_", "silero_vad/data/silero_vad", {
        "input": numbers(1, 576), "state": lambda: np.zeros((2, 1, 128), np.float32), "sr": lambda: np.array(16000)}
    tokens = {"input_ids": words(20000, 1, 32), "attention_mask": lambda: np.ones((1, 32), np.int64), "token_type_ids": lambda: np.zeros((1, 32), np.int64)}
    model("onnx/magika/2048/i32", "magika/models/standard_v3_3/model.onnx", bytes=words(256, 1, 2048, dtype=np.int32))
    model("onnx/ppocr_det/320x320/f32", paddle + "PP-OCRv4_det_infer.onnx", x=numbers(1, 3, 320, 320))
    model("onnx/ppocr_rec/48x320/f32", paddle + "PP-OCRv4_rec_infer.onnx", x=numbers(1, 3, 48, 320))
    model("onnx/ppocr_cls/2x48x192/f32", paddle + "ppocr_mobile_v2.0_cls_infer.onnx", x=numbers(2, 3, 48, 192))
    model("onnx/silero_vad/576/f32", voice + ".onnx", **voices)
    model("onnx/silero_vad_ifless/576/f32", voice + "_op18_ifless.onnx", **voices)
    model("onnx/minilm/32/f32", "minilm.onnx", **tokens)
    for net in "resnet50", "densenet121", "squeezenet":
        model(f"onnx/{net}/224x224/f32", f"net_{net}/model.onnx", x=numbers(1, 3, 224, 224))


models()
