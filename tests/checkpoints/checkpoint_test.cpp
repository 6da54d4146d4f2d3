// Opening a checkpoint: layouts, names, classes, and what the messages say.
#include "checkpoints/checkpoint.h"

#include <algorithm>

#include "checkpoints/config.h"
#include "checkpoints/hand_made.h"
#include "checkpoints/safetensors.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

const fs::path kModels = fs::path(NORMSCOPE_FIXTURES) / "models";

TEST(Checkpoint, OpensEveryModelFixture) {
  size_t opened = 0;
  for (const auto& folder : fs::directory_iterator(kModels)) {
    const Checkpoint checkpoint = open_checkpoint(folder.path().string());
    EXPECT_FALSE(checkpoint.names().empty());
    EXPECT_EQ(checkpoint.labels().size(), checkpoint.config().at("id2label").size());
    EXPECT_EQ(checkpoint.folder(), folder.path());
    ++opened;
  }
  EXPECT_GE(opened, 14u);  // the study's models; others may have joined them
}

TEST(Checkpoint, ViewsOutliveTheCheckpointThatMadeThemWhileACopyLives) {
  std::optional<Checkpoint> first = open_checkpoint((kModels / "bert").string());
  const Checkpoint copy = *first;
  const auto view = first->find("bert.embeddings.LayerNorm.weight");
  first.reset();
  EXPECT_EQ(view->bytes, copy.find("bert.embeddings.LayerNorm.weight")->bytes);
}

TEST(Checkpoint, NamesMatchWithAndWithoutTheBasePrefix) {
  const Checkpoint bert = open_checkpoint((kModels / "bert").string());
  EXPECT_TRUE(bert.find("bert.pooler.dense.weight", "bert").has_value());
  EXPECT_TRUE(bert.find("pooler.dense.weight", "bert").has_value());
  EXPECT_TRUE(bert.find("pooler.dense.weight", "bert.").has_value());
  EXPECT_FALSE(bert.find("pooler.dense.weight").has_value());
  EXPECT_TRUE(bert.find("classifier.weight", "bert").has_value());
  const auto folder = empty_folder("checkpoint_no_prefix");
  fs::copy_file(kModels / "bert/config.json", folder / "config.json");
  const std::string two(8, '\0');
  write_safetensors(folder / "model.safetensors", {{"pooler.dense.weight", {DType::F32, {2}, two}}}, {});
  EXPECT_TRUE(open_checkpoint(folder.string()).find("bert.pooler.dense.weight", "bert").has_value());
}

TEST(Checkpoint, SaysWhichTensorsNobodyAskedFor) {
  const Checkpoint checkpoint = open_checkpoint((kModels / "gpt2").string());
  EXPECT_EQ(checkpoint.unused(), checkpoint.names());
  for (const auto& name : checkpoint.names())
    if (name != "score.weight") checkpoint.find(name, "transformer");
  EXPECT_EQ(checkpoint.unused(), std::vector<std::string>{"score.weight"});
}

TEST(Checkpoint, ReadsAPickledOneUnderCanonicalNames) {
  const auto folder = empty_folder("checkpoint_bin");
  fs::copy_file(kModels / "bert/config.json", folder / "config.json");
  fs::copy_file(fs::path(NORMSCOPE_FIXTURES) / "checkpoints/state_dict.bin", folder / "pytorch_model.bin");
  const Checkpoint checkpoint = open_checkpoint(folder.string());
  const auto names = checkpoint.names();
  EXPECT_EQ(names.size(), 16u);
  for (const char* name : {"f32.weight", "norm.weight", "norm.bias", "transposed"})
    EXPECT_TRUE(checkpoint.find(name).has_value()) << name;
  EXPECT_EQ(std::count(names.begin(), names.end(), "embeddings.position_ids"), 0);
  EXPECT_EQ(checkpoint.find("transposed")->bytes.size(), 96u);
}

TEST(Checkpoint, TwoSpellingsOfOneTensorAreRefused) {
  const auto folder = empty_folder("checkpoint_twice");
  fs::copy_file(kModels / "bert/config.json", folder / "config.json");
  const std::string four(4, '\0');
  write_safetensors(folder / "model.safetensors",
                    {{"n.gamma", {DType::F32, {1}, four}}, {"n.weight", {DType::F32, {1}, four}}}, {});
  EXPECT_EQ(
      refusal([&] { open_checkpoint(folder.string()); }),
      (folder / "model.safetensors").string() + ": tensor 'n.weight' comes under two names; one of them is 'n.weight'");
}

class Shards : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = empty_folder("checkpoint_shards");
    fs::copy_file(kModels / "bert/config.json", folder_ / "config.json");
    for (const char* name : {"a", "b"})
      write_safetensors(folder_ / (std::string(name) + ".safetensors"), {{name, {DType::F32, {1}, four_}}}, {});
  }
  std::string refusal_of(const std::string& index) {
    write_file_atomically(folder_ / "model.safetensors.index.json", index);
    const std::string message = refusal([&] { open_checkpoint(folder_.string()); });
    const std::string path = (folder_ / "model.safetensors.index.json").string() + ": ";
    return message.starts_with(path) ? message.substr(path.size()) : message;
  }
  const std::string four_ = "abcd";
  fs::path folder_;
};

TEST_F(Shards, AreReadThroughTheirIndex) {
  EXPECT_EQ(refusal_of(R"({"weight_map": {"a": "a.safetensors", "b": "b.safetensors"}})"), "accepted");
  EXPECT_EQ(open_checkpoint(folder_.string()).names(), (std::vector<std::string>{"a", "b"}));
}

TEST_F(Shards, ThatDoNotFitTheirIndexAreRefused) {
  EXPECT_EQ(refusal_of(R"({"weight_map": {"a": "c.safetensors"}})"),
            "shard 'c.safetensors' is not in the folder; the download is incomplete");
  EXPECT_EQ(refusal_of(R"({"weight_map": {"a": "b.safetensors"}})"),
            "tensor 'a' should be in shard 'b.safetensors', which does not have it");
  EXPECT_EQ(refusal_of(R"({"weight_map": {"a": "../a.safetensors"}})"),
            "tensor 'a': expected the name of a file beside it, found \"../a.safetensors\"");
  EXPECT_EQ(refusal_of(R"({"weight_map": {"a": 3}})"), "tensor 'a': expected a file name, found 3");
  EXPECT_EQ(refusal_of(R"({"weight_map": []})"), "expected an object 'weight_map'");
  EXPECT_EQ(refusal_of(R"({"weight_map": {"a": "a.safetensors", "a": "b.safetensors"}})"), "key 'a' comes twice");
  write_file_atomically(folder_ / "a.safetensors", read_file(folder_ / "a.safetensors", ErrorKind::Data).substr(0, 60));
  EXPECT_NE(refusal_of(R"({"weight_map": {"a": "a.safetensors"}})").find("a.safetensors: cut short: header of"),
            std::string::npos);
}

TEST(Checkpoint, MessagesSayWhatIsMissing) {
  const auto folder = empty_folder("checkpoint_missing");
  EXPECT_EQ(refusal([&] { open_checkpoint(folder.string()); }),
            folder.string() + ": expected a folder with config.json, found nothing");
  fs::copy_file(kModels / "bert/config.json", folder / "config.json");
  write_file_atomically(folder / "tf_model.h5", "x");
  EXPECT_EQ(refusal([&] { open_checkpoint(folder.string()); }),
            folder.string() +
                ": expected model.safetensors, model.safetensors.index.json or pytorch_model.bin, found "
                "config.json, "
                "tf_model.h5");
  EXPECT_FALSE(open_checkpoint(folder.string(), false).has_weights());
  EXPECT_EQ(refusal([&] { open_checkpoint((folder / "config.json").string()); }),
            (folder / "config.json").string() + ": expected a folder, found a file; pass the folder that holds it");
  EXPECT_EQ(refusal([&] { open_checkpoint(""); }), "checkpoint: expected a folder or an org/name, found \"\"");
  fs::create_symlink("gone", folder / "model.safetensors");
  EXPECT_NE(refusal([&] { open_checkpoint(folder.string()); }).find("model.safetensors: cannot be read"),
            std::string::npos);
}

TEST(Checkpoint, ARunsFolderOpensAndAStudysSaysWhichRunsThereAre) {
  const auto study = empty_folder("checkpoint_study");
  fs::create_directories(study / "runs/seed28-all");
  fs::copy(kModels / "bert", study / "runs/seed28-all/checkpoint");
  EXPECT_EQ(open_checkpoint((study / "runs/seed28-all").string()).folder(), study / "runs/seed28-all/checkpoint");
  EXPECT_EQ(refusal([&] { open_checkpoint(study.string()); }),
            study.string() + ": expected a folder with config.json; this is a study, pass one of its runs: seed28-all");
}

std::string config_refusal(const std::string& bytes) {
  return refusal([&] { parse_config(bytes, "c"); });
}

TEST(Config, ClassesComeInTheirOrder) {
  const auto labels = [](const std::string& more) {
    return class_labels(parse_config("{\"model_type\": \"bert\"" + more + "}"));
  };
  EXPECT_EQ(labels(""), std::vector<std::string>{});
  std::string twelve = ", \"id2label\": {";
  for (int i = 11; i >= 0; --i)
    twelve += "\"" + std::to_string(i) + "\": \"c" + std::to_string(i) + "\"" + (i ? "," : "}");
  EXPECT_EQ(labels(twelve).at(10), "c10");
  EXPECT_EQ(labels(", \"label2id\": {\"b\": 0, \"a\": 1}"), (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(labels(", \"id2label\": {\"0\": 7}"), std::vector<std::string>{"7"});
  EXPECT_EQ(labels(", \"id2label\": null"), std::vector<std::string>{});
}

TEST(Config, RefusalsNameTheKey) {
  EXPECT_EQ(config_refusal("{}"),
            "c: no 'model_type', so the architecture is unknown; add it, for instance \"model_type\": \"bert\"");
  EXPECT_EQ(config_refusal("{\"model_type\": 3}"), "c: 'model_type': expected text, found 3");
  EXPECT_EQ(config_refusal("[]"), "c: expected an object, found array");
  EXPECT_EQ(config_refusal("{").substr(0, 11), "c: not JSON");
  const std::string bert = "{\"model_type\": \"bert\", ";
  EXPECT_EQ(config_refusal(bert + "\"id2label\": {\"0\": \"a\", \"2\": \"b\"}}"),
            "c: 'id2label': expected classes 0 to 1, found no class 1");
  EXPECT_EQ(config_refusal(bert + "\"id2label\": {\"x\": \"a\"}}"),
            "c: 'id2label': expected class numbers as keys, found 'x'");
  EXPECT_EQ(config_refusal(bert + "\"id2label\": {\"0\": \"a\", \"00\": \"b\"}}"),
            "c: 'id2label': class 0 comes twice");
  EXPECT_EQ(config_refusal(bert + "\"id2label\": []}"), "c: 'id2label': expected an object, found array");
  EXPECT_EQ(config_refusal(bert + "\"id2label\": {\"0\": []}}"),
            "c: 'id2label': class 0: expected a name, found array");
  EXPECT_EQ(config_refusal(bert + "\"label2id\": {\"a\": \"0\"}}"),
            "c: 'label2id': 'a': expected a class number, found \"0\"");
}

}  // namespace
}  // namespace normscope
