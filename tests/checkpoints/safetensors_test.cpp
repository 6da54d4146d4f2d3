// safetensors against files of the reference library, and against damage.
#include "checkpoints/safetensors.h"

#include "checkpoints/hand_made.h"

namespace normscope {
namespace {

std::string refusal_of(const std::string& bytes) {
  return refusal([&] { parse_safetensors(bytes, nullptr, "w"); });
}
std::string refusal_of(const std::string& header, const std::string& tensors) {
  return refusal_of(safetensors_bytes(header, tensors));
}

TEST(Safetensors, ReadsTheReferencesFiles) {
  const std::string bytes = fixture_bytes("models/bert/model.safetensors");
  std::map<std::string, std::string> metadata;
  const auto tensors = parse_safetensors(bytes, &metadata);
  EXPECT_EQ(metadata, (std::map<std::string, std::string>{{"format", "pt"}}));
  const auto& weight = tensors.at("bert.embeddings.LayerNorm.weight");
  EXPECT_EQ(weight.dtype, DType::F32);
  EXPECT_EQ(weight.shape, std::vector<int64_t>{32});
  EXPECT_EQ(weight.bytes.size(), 128u);
}

TEST(Safetensors, WritesWhatTheReferenceWritesByteForByte) {
  size_t compared = 0;
  for (const auto& folder : std::filesystem::directory_iterator(std::filesystem::path(NORMSCOPE_FIXTURES) / "models")) {
    for (const char* file : {"model.safetensors", "inputs.safetensors", "expected.safetensors"}) {
      const std::string bytes = read_file(folder.path() / file, ErrorKind::Data);
      std::map<std::string, std::string> metadata;
      const auto tensors = parse_safetensors(bytes, &metadata);
      const auto path = empty_folder("safetensors_write") / "copy.safetensors";
      write_safetensors(path, {tensors.begin(), tensors.end()}, metadata);
      EXPECT_TRUE(read_file(path, ErrorKind::Data) == bytes) << folder.path() / file;
      ++compared;
    }
  }
  EXPECT_GE(compared, 14u * 3);
}

TEST(Safetensors, MixedTypesComeBackAndLieAligned) {
  const std::string eight(8, '\1'), four(12, '\2'), two(2, '\3'), one("\0\1\1", 3);
  const std::vector<std::pair<std::string, TensorView>> tensors = {
      {"flag \"\u00e9\"", {DType::BOOL, {3}, one}}, {"half", {DType::BF16, {}, two}},
      {"single", {DType::F32, {3, 1}, four}},       {"none", {DType::F32, {0, 7}, {}}},
      {"long", {DType::I64, {1}, eight}},
  };
  const auto path = empty_folder("safetensors_mixed") / "mixed.safetensors";
  write_safetensors(path, tensors, {{"note", "a\nb"}});
  const std::string bytes = read_file(path, ErrorKind::Data);
  std::map<std::string, std::string> metadata;
  const auto read = parse_safetensors(bytes, &metadata);
  EXPECT_EQ(metadata.at("note"), "a\nb");
  ASSERT_EQ(read.size(), tensors.size());
  for (const auto& [name, view] : tensors) {
    EXPECT_EQ(read.at(name).dtype, view.dtype);
    EXPECT_EQ(read.at(name).shape, view.shape);
    EXPECT_EQ(read.at(name).bytes, view.bytes);
    EXPECT_EQ(static_cast<size_t>(read.at(name).bytes.data() - bytes.data()) % dtype_bytes(view.dtype), 0u) << name;
  }
}

TEST(Safetensors, AnEmptyFileOfTensorsIsOne) {
  EXPECT_TRUE(parse_safetensors(safetensors_bytes("{}", ""), nullptr).empty());
  EXPECT_TRUE(parse_safetensors(safetensors_bytes("{}   ", ""), nullptr).empty());
}

TEST(Safetensors, NothingIsLeftWhenTheFolderIsGone) {
  EXPECT_THROW(write_safetensors("/no/such/folder/w.safetensors", {}, {}), Error);
}

TEST(Safetensors, RefusesFilesThatAreSomethingElse) {
  EXPECT_EQ(refusal_of(""), "w: the file is empty; the download was interrupted");
  EXPECT_EQ(refusal_of("abc"), "w: expected a safetensors file, found only 3 bytes");
  EXPECT_EQ(refusal_of("version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 9\n"),
            "w: a Git LFS pointer, not the weights; run `git lfs pull` in that repository or download the "
            "file itself");
  EXPECT_EQ(refusal_of("PK\3\4aaaaaaaaaaaa"), "w: not a safetensors file: no header at its start");
  EXPECT_EQ(refusal_of(little_endian(200'000'000, 8) + "{"),
            "w: header of 200000000 bytes, expected at most 100000000");
  EXPECT_EQ(refusal_of(little_endian(UINT64_MAX, 8) + "{"),
            "w: header of 18446744073709551615 bytes, expected at most 100000000");
  EXPECT_EQ(refusal_of(little_endian(9, 8) + "{}"), "w: cut short: header of 9 bytes, but the file has 10");
  EXPECT_EQ(refusal_of("{\"a\": ", "").substr(0, 19), "w: header: not JSON");
  EXPECT_EQ(refusal_of("{\"\xff\": 1}", "").substr(0, 19), "w: header: not JSON");
  EXPECT_EQ(refusal_of("{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}", ""),
            "w: header: nests deeper than 64 levels");
}

TEST(Safetensors, RefusesTensorsThatLie) {
  const auto entry = [](const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return "{\"a\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}}";
  };
  const std::string four(4, 'x');
  EXPECT_EQ(refusal_of(entry("F32", "[1]", "[0,4]"), four), "accepted");
  EXPECT_EQ(refusal_of(entry("F32", "[2]", "[0,4]"), four), "w: tensor 'a': shape [2] of F32 needs 8 bytes, found 4");
  EXPECT_EQ(refusal_of(entry("F32", "[2]", "[0,8]"), four),
            "w: tensor 'a': ends at byte 8 but only 4 bytes of tensors are there; the file is cut short or "
            "damaged");
  EXPECT_EQ(refusal_of(entry("F32", "[1]", "[4,0]"), four), "w: tensor 'a': data_offsets: begin 4 is after end 0");
  EXPECT_EQ(refusal_of(entry("F32", "[1]", "[0]"), four), "w: tensor 'a': data_offsets: expected 2 numbers, found 1");
  EXPECT_EQ(refusal_of(entry("F32", "[-1]", "[0,4]"), four),
            "w: tensor 'a': shape: expected whole numbers of at least 0, found -1");
  EXPECT_EQ(refusal_of(entry("F32", "[1.0]", "[0,4]"), four),
            "w: tensor 'a': shape: expected whole numbers of at least 0, found 1.0");
  EXPECT_EQ(refusal_of(entry("F32", "[4294967296,4294967296,4294967296]", "[0,4]"), four),
            "w: tensor 'a': shape [4294967296, 4294967296, 4294967296] is too large");
  EXPECT_EQ(refusal_of(entry("F32", "[9223372036854775807,4,0]", "[0,0]"), ""),
            "accepted");  // no element at all
  EXPECT_EQ(refusal_of(entry("F8_E4M3", "[4]", "[0,4]"), four),
            "w: tensor 'a': dtype \"F8_E4M3\" is not supported; known: F64, F32, F16, BF16, I64, I32, I16, "
            "I8, U8, BOOL");
  EXPECT_EQ(refusal_of("{\"a\":{\"dtype\":\"F32\",\"shape\":[]}}", four), "w: tensor 'a': no 'data_offsets'");
  EXPECT_EQ(refusal_of("{\"a\":3}", ""), "w: tensor 'a': expected an object, found number");
  EXPECT_EQ(refusal_of("{\"__metadata__\":{\"a\":3}}", ""), "w: __metadata__: 'a': expected text, found number");
  EXPECT_EQ(refusal_of(entry("F32", "[1]", "[0,4]"), four + "y"), "w: bytes 4 to 5 belong to no tensor");
  EXPECT_EQ(refusal_of(entry("F32", "[1]", "[1,5]"), four + "y"), "w: bytes 0 to 1 belong to no tensor");
}

TEST(Safetensors, RefusesOverlapsAndDoubledNames) {
  const std::string a = "\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}";
  EXPECT_EQ(refusal_of("{" + a + ",\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[2,6]}}", "123456"),
            "w: tensor 'b': overlaps another: starts at byte 2, expected 4");
  EXPECT_EQ(refusal_of("{" + a + "," + a + "}", "1234"), "w: header: key 'a' comes twice");
}

}  // namespace
}  // namespace normscope
