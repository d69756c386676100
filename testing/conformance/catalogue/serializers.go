package catalogue

import (
	"github.com/ndgrad/ndgrad/nn/archive"
)

// bothWays is the note for the one method that reads and writes.
const bothWays = "an Object names its values in one method, Archive, which is used for writing and reading"

// inH5 is the note for files in the HDF5 format.
const inH5 = "the name of the file ends with .h5"

// serializerRows is the chapter of files that hold a whole training run.
var serializerRows = []Row{
	{Signature: "chainer.AbstractSerializer(path, obj)", Func: archive.Save, NoGrad: true, Note: bothWays},
	{Signature: "chainer.AbstractSerializer.__call__(self, key, value)", Func: (*archive.Archive).Array, NoGrad: true,
		Note: "use Int, Float, Bool, Text and Ints for values that are not arrays"},
	{Signature: "chainer.AbstractSerializer.__getitem__(self, key)", Func: (*archive.Archive).Sub, NoGrad: true},
	{Signature: "chainer.Serializer(path, obj)", Func: archive.Save, NoGrad: true, Note: bothWays},
	{Signature: "chainer.Serializer.save(path, obj)", Func: archive.Save, NoGrad: true, Note: bothWays},
	{Signature: "chainer.Deserializer(path, obj)", Func: archive.Load, NoGrad: true, Note: bothWays},
	{Signature: "chainer.Deserializer.load(path, obj)", Func: archive.Load, NoGrad: true, Note: bothWays},
	{Signature: "chainer.serializers.DictionarySerializer(target=None, path='')", Func: func(target archive.Object, path string) error {
		return archive.Save(path, target)
	}, NoGrad: true, Note: "writes to a file; the name of an entry is its path"},
	{Signature: "chainer.serializers.NpzDeserializer(npz, obj, path='', strict=True)", Func: func(npz string, obj archive.Object, path string, strict bool) error {
		return archive.Load(npz, obj, archive.LoadOptions{Prefix: path, Lenient: !strict})
	}, NoGrad: true},
	{Signature: "chainer.serializers.save_npz(filename, obj, compression=True)", Func: func(filename string, obj archive.Object, compression bool) error {
		return archive.Save(filename, obj, archive.SaveOptions{Compress: compression})
	}, NoGrad: true},
	{Signature: "chainer.serializers.load_npz(filename, obj)", Func: archive.Load, NoGrad: true},
	{Signature: "chainer.serializers.HDF5Serializer(group, obj, compression=4)", Func: saveHDF5, NoGrad: true, Note: inH5},
	{Signature: "chainer.serializers.HDF5Deserializer(group, obj, strict=True)", Func: func(group string, obj archive.Object, strict bool) error {
		return archive.Load(group, obj, archive.LoadOptions{Lenient: !strict})
	}, NoGrad: true, Note: inH5},
	{Signature: "chainer.serializers.save_hdf5(filename, obj, compression=4)", Func: saveHDF5, NoGrad: true, Note: inH5},
	{Signature: "chainer.serializers.load_hdf5(filename, obj)", Func: archive.Load, NoGrad: true, Note: inH5},
}

// saveHDF5 deflates unless the level of compression is 0.
func saveHDF5(filename string, obj archive.Object, compression int) error {
	return archive.Save(filename, obj, archive.SaveOptions{Compress: compression > 0})
}
