// pytorch_model.bin against files that torch wrote, hostile pickles and damaged archives.
#include "checkpoints/torch_file.h"

#include "checkpoints/hand_made.h"
#include "checkpoints/pickle.h"
#include "checkpoints/zip.h"

namespace normscope {
namespace {

std::string fixture_refusal(const std::string& name) {
  const std::string bytes = fixture_bytes("checkpoints/" + name);
  return refusal([&] { parse_torch_file(bytes, "w"); });
}
std::string pickle_refusal(const std::string& bytes) {
  return refusal([&] { parse_state_dict_pickle(bytes, "p"); });
}

template <typename T>
std::vector<T> values_of(const TensorView& view) {
  std::vector<T> values(view.bytes.size() / sizeof(T));
  std::memcpy(values.data(), view.bytes.data(), view.bytes.size());
  return values;
}

TEST(TorchFile, ReadsWhatTorchSaved) {
  const std::string bytes = fixture_bytes("checkpoints/state_dict.bin");
  const TorchFile file = parse_torch_file(bytes);
  const auto& t = file.tensors;
  EXPECT_EQ(t.size(), 17u);
  EXPECT_EQ(t.at("module.f32.weight").shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(values_of<float>(t.at("module.f32.weight")), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(values_of<float>(t.at("norm.gamma")), (std::vector<float>{1.5, -2}));
  EXPECT_EQ(t.at("transposed").shape, (std::vector<int64_t>{6, 4}));
  EXPECT_EQ(values_of<float>(t.at("transposed")),
            (std::vector<float>{0, 6, 12, 18, 1, 7, 13, 19, 2, 8, 14, 20, 3, 9, 15, 21, 4, 10, 16, 22, 5, 11, 17, 23}));
  EXPECT_EQ(values_of<float>(t.at("window")), (std::vector<float>{8, 9, 14, 15}));
  EXPECT_EQ(values_of<float>(t.at("slice")), (std::vector<float>{5, 6, 7, 8}));
  EXPECT_EQ(values_of<double>(t.at("f64")), std::vector<double>{1.0 / 3});
  EXPECT_EQ(values_of<uint16_t>(t.at("f16")), std::vector<uint16_t>{0x2e66});
  EXPECT_EQ(values_of<uint16_t>(t.at("bf16")), std::vector<uint16_t>{0x3dcd});
  EXPECT_EQ(values_of<int64_t>(t.at("i64")), std::vector<int64_t>{-3});
  EXPECT_TRUE(t.at("i64").shape.empty());
  EXPECT_EQ(values_of<int32_t>(t.at("i32")), std::vector<int32_t>{7});
  EXPECT_EQ(values_of<int16_t>(t.at("i16")), std::vector<int16_t>{7});
  EXPECT_EQ(values_of<int8_t>(t.at("i8")), std::vector<int8_t>{-1});
  EXPECT_EQ(values_of<uint8_t>(t.at("u8")), std::vector<uint8_t>{255});
  EXPECT_EQ(t.at("bool").dtype, DType::BOOL);
  EXPECT_EQ(t.at("bool").bytes, std::string_view("\1\0", 2));
  EXPECT_EQ(t.at("empty").shape, (std::vector<int64_t>{0, 3}));
}

TEST(TorchFile, FindsTheStateDictOfATrainingState) {
  const std::string bytes = fixture_bytes("checkpoints/training_state.bin");
  EXPECT_EQ(values_of<float>(parse_torch_file(bytes).tensors.at("w")), (std::vector<float>{1, 1}));
}

TEST(TorchFile, RefusesWhatIsNoPlainCheckpoint) {
  EXPECT_NE(fixture_refusal("command.bin")
                .find("asks for '__builtin__ eval', which a checkpoint of tensors does not need; refused, "
                      "not executed"),
            std::string::npos)
      << fixture_refusal("command.bin");
  EXPECT_EQ(fixture_refusal("before_1_6.bin"),
            "w: a pickle of torch before 1.6; load it there and save it as safetensors");
  EXPECT_EQ(fixture_refusal("not_a_tensor.bin"), "w: data.pkl: entry 'lr' is not a tensor");
  EXPECT_EQ(fixture_refusal("big_endian.bin"), "w: saved on a big-endian machine; save it again as safetensors");
  EXPECT_NE(fixture_refusal("compressed.bin").find("is compressed; torch.save stores members as they are"),
            std::string::npos);
  EXPECT_EQ(fixture_refusal("short_storage.bin"),
            "w: tensor 'module.f32.weight': storage '0' should hold 6 values, found 1");
  EXPECT_EQ(fixture_refusal("expanded.bin"), "w: tensor 'w': unpacks to more bytes than the file has; refused");
  EXPECT_EQ(refusal([] { parse_torch_file("", "w"); }), "w: the file is empty; the download was interrupted");
  EXPECT_EQ(refusal([] { parse_torch_file("<html>", "w"); }), "w: expected the zip archive that torch.save writes");
}

TEST(TorchFile, EveryTruncationIsRefused) {
  const std::string bytes = fixture_bytes("checkpoints/state_dict.bin");
  for (size_t size = 0; size < bytes.size(); size += 7)
    EXPECT_NE(refusal([&] { parse_torch_file(std::string_view(bytes).substr(0, size), "w"); }), "accepted") << size;
}

TEST(Pickle, KnowsNoNameButTorchsOwn) {
  for (const char* name : {"os\nsystem\n", "builtins\neval\n", "torch\nload\n", "torch._utils\n_rebuild_tensor\n",
                           "collections\nOrderedDict \n", "collections OrderedDict\n\n", "\n\n"})
    EXPECT_NE(pickle_refusal(std::string("\x80\2c") + name + ".").find("refused, not executed"), std::string::npos)
        << name;
  EXPECT_EQ(pickle_refusal("\x80\2cos\nsystem\n."),
            "p: byte 13: asks for 'os system', which a checkpoint of tensors does not need; refused, not executed");
  // The same through protocol 4's operation, which takes both names from the stack.
  EXPECT_EQ(pickle_refusal("\x80\4\x8c\2os\x8c\6system\x93."),
            "p: byte 15: asks for 'os system', which a checkpoint of tensors does not need; refused, not executed");
}

TEST(Pickle, RefusesWhatTorchDoesNotWrite) {
  EXPECT_EQ(pickle_refusal("}i"), "p: byte 2: pickle operation 105 is not one that data needs; refused");
  EXPECT_EQ(pickle_refusal(""), "p: byte 0: the pickle is cut short");
  EXPECT_EQ(pickle_refusal("."), "p: byte 1: an operation finds too few values");
  EXPECT_EQ(pickle_refusal("t"), "p: byte 1: an operation finds no mark");
  EXPECT_EQ(pickle_refusal("N("), "p: byte 2: the pickle is cut short");
  EXPECT_EQ(pickle_refusal("N(0"), "p: byte 3: pickle operation 48 is not one that data needs; refused");
  EXPECT_EQ(pickle_refusal("N(\x85."), "p: byte 3: an operation finds too few values");  // not across a mark
  EXPECT_EQ(pickle_refusal("N."), "p: expected a state dict, found something else");
  EXPECT_EQ(pickle_refusal("h\1."), "p: byte 2: memo 1 was never set");
  EXPECT_EQ(pickle_refusal("X\xff\xff\xff\xff."), "p: byte 5: the pickle is cut short");
  EXPECT_EQ(pickle_refusal("\x80\x09."), "p: byte 2: an unknown pickle protocol");
  EXPECT_EQ(pickle_refusal("}K\1K\2s."), "p: a state dict with keys that are not text");
  EXPECT_EQ(pickle_refusal(")Q."), "p: byte 2: expected the description of a storage");
  EXPECT_EQ(pickle_refusal("ctorch\nFloatStorage\n)R."), "p: byte 22: 'torch FloatStorage' cannot be called");
  EXPECT_EQ(pickle_refusal("ctorch._utils\n_rebuild_tensor_v2\n)R."),
            "p: byte 35: a tensor without storage, offset, shape and strides");
  EXPECT_EQ(pickle_refusal("NNb."), "p: byte 3: attributes for something other than an OrderedDict");
  EXPECT_EQ(pickle_refusal(std::string("X\1\0\0\0\xff.", 7)), "p: byte 6: text that is not UTF-8");
}

TEST(Pickle, AListThatHoldsItselfIsHarmless) {
  EXPECT_EQ(pickle_refusal(std::string("]q\0h\0a.", 7)), "p: expected a state dict, found something else");
}

TEST(Zip, ReadsTorchsArchiveWithAndWithoutAComment) {
  const std::string bytes = fixture_bytes("checkpoints/short_storage.bin");
  const auto members = parse_zip(bytes);
  EXPECT_EQ(members.at("state_dict/byteorder"), "little");
  std::string commented = bytes + "a comment";
  commented[bytes.size() - 2] = 9;
  EXPECT_EQ(parse_zip(commented), members);
}

TEST(Zip, RefusesDamage) {
  const std::string bytes = fixture_bytes("checkpoints/short_storage.bin");
  const auto refusal_with = [&](size_t position, const std::string& patch) {
    std::string damaged = bytes;
    damaged.replace(position, patch.size(), patch);
    return refusal([&] { parse_zip(damaged, "z"); });
  };
  const size_t end = bytes.size() - 22, entry = bytes.find("PK\1\2");
  EXPECT_EQ(refusal([] { parse_zip("PK", "z"); }), "z: damaged zip archive: only 2 bytes");
  EXPECT_EQ(refusal([] { parse_zip(std::string(100, 'x'), "z"); }),
            "z: damaged zip archive: no directory at its end; the file is cut short");
  EXPECT_EQ(refusal_with(end + 10, "\xff\xff"), "z: damaged zip archive: 65535 members in 4123 bytes");
  EXPECT_EQ(refusal_with(end + 16, std::string("\1\0\0\0", 4)), "z: damaged zip archive: no directory entry at byte 1");
  EXPECT_EQ(refusal_with(entry + 8, "\1"), "z: member 'state_dict/data.pkl' is encrypted");
  EXPECT_EQ(refusal_with(entry + 10, "\x08"),
            "z: member 'state_dict/data.pkl' is compressed; torch.save stores members as they are");
  EXPECT_EQ(refusal_with(entry + 42, "\7"),
            "z: damaged zip archive: member 'state_dict/data.pkl': no header at byte 7");
  EXPECT_NE(refusal_with(entry + 20, "\xff\xff\xff\x7f\xff\xff\xff\x7f").find("are past the end of 4123"),
            std::string::npos);
}

}  // namespace
}  // namespace normscope
