"""Writes all-types.gguf beside this script with the reference implementation. Needs `pip install gguf`."""

import pathlib

import gguf
import numpy

writer = gguf.GGUFWriter(pathlib.Path(__file__).parent / "all-types.gguf", "test")
writer.add_custom_alignment(64)
writer.add_uint8("scalar.uint8", 200)
writer.add_int8("scalar.int8", -100)
writer.add_uint16("scalar.uint16", 60_000)
writer.add_int16("scalar.int16", -30_000)
writer.add_uint32("scalar.uint32", 4_000_000_000)
writer.add_int32("scalar.int32", -2_000_000_000)
writer.add_uint64("scalar.uint64", 18_000_000_000_000_000_000)
writer.add_int64("scalar.int64", -9_000_000_000_000_000_000)
writer.add_float32("scalar.float32", 1.5)
writer.add_float64("scalar.float64", -0.1)
writer.add_bool("scalar.bool", True)
writer.add_string("scalar.string", "größer 🙂")
writer.add_array("array.int32", [1, -2, 3])
writer.add_array("array.float32", [0.25, -0.5])
writer.add_array("array.bool", [True, False])
writer.add_array("array.string", ["one", "", "drei 🙂"])
writer.add_array("array.array", [[1, 2], [3]])
writer.add_tensor("matrix.weight", numpy.arange(6, dtype=numpy.float32).reshape(2, 3))
writer.add_tensor("half.weight", numpy.array([1.0, -2.0, 0.5], dtype=numpy.float16))
blocks = gguf.quants.quantize(numpy.linspace(-1, 1, 64, dtype=numpy.float32), gguf.GGMLQuantizationType.Q8_0)
writer.add_tensor("quantised.weight", blocks, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
