// org/name in a Hugging Face cache: found, incomplete, hostile.
#include "checkpoints/hub_cache.h"

#include <cstdlib>

#include "checkpoints/checkpoint.h"
#include "checkpoints/hand_made.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

class HubCache : public testing::Test {
 protected:
  void SetUp() override {
    cache_ = empty_folder("hub_cache");
    for (const char* name : {"HUGGINGFACE_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"}) ::unsetenv(name);
    ::setenv("HOME", (cache_ / "home").c_str(), 1);
    ::setenv("HF_HUB_CACHE", cache_.c_str(), 1);
    model_ = cache_ / "models--org--tiny";
    snapshot_ = model_ / "snapshots/abc123";
    fs::create_directories(snapshot_);
    fs::create_directories(model_ / "refs");
    fs::create_directories(model_ / "blobs");
    for (const char* file : {"config.json", "model.safetensors"}) {
      fs::copy_file(fs::path(NORMSCOPE_FIXTURES) / "models/bert" / file, model_ / "blobs" / file);
      fs::create_symlink(fs::path("../../blobs") / file, snapshot_ / file);
    }
    write_file_atomically(model_ / "refs/main", "abc123");
  }
  void TearDown() override { ::unsetenv("HF_HUB_CACHE"); }

  fs::path cache_, model_, snapshot_;
};

TEST_F(HubCache, OpensTheSnapshotThatMainNames) {
  EXPECT_EQ(open_checkpoint("org/tiny").folder(), snapshot_);
  fs::create_directories(model_ / "snapshots/def456");
  EXPECT_EQ(open_checkpoint("org/tiny").folder(), snapshot_);
  write_file_atomically(model_ / "refs/main", "def456\n");
  EXPECT_EQ(refusal([] { open_checkpoint("org/tiny"); }),
            (model_ / "snapshots/def456/config.json").string() + ": is missing");
}

TEST_F(HubCache, LooksWhereHuggingFaceLooks) {
  ::unsetenv("HF_HUB_CACHE");
  ::setenv("HF_HOME", "/hf", 1);
  ::setenv("XDG_CACHE_HOME", "/xdg", 1);
  EXPECT_EQ(hub_cache_folders(),
            (std::vector<fs::path>{"/hf/hub", "/xdg/huggingface/hub", cache_ / "home/.cache/huggingface/hub"}));
}

TEST_F(HubCache, WithoutMainTheOnlySnapshotIsTaken) {
  fs::remove(model_ / "refs/main");
  EXPECT_EQ(open_checkpoint("org/tiny").folder(), snapshot_);
  fs::create_directories(model_ / "snapshots/def456");
  EXPECT_EQ(refusal([] { open_checkpoint("org/tiny"); }),
            model_.string() + ": no refs/main and 2 snapshots; pass the folder of one of them");
}

TEST_F(HubCache, SaysWhereItLooked) {
  EXPECT_EQ(refusal([] { open_checkpoint("org/other"); }),
            "org/other: no such checkpoint; nothing is downloaded. Looked in: org/other, " + cache_.string() + ", " +
                (cache_ / "home/.cache/huggingface/hub").string());
  EXPECT_EQ(refusal([] { open_checkpoint("/no/such/folder"); }),
            "/no/such/folder: no such checkpoint; nothing is downloaded. Looked in: /no/such/folder");
}

TEST_F(HubCache, RefusesLinksThatLeaveTheCache) {
  const auto secret = empty_folder("hub_secret") / "key";
  write_file_atomically(secret, "secret");
  fs::create_symlink(secret, snapshot_ / "vocab.txt");
  EXPECT_EQ(refusal([] { open_checkpoint("org/tiny"); }), (snapshot_ / "vocab.txt").string() + ": links to " +
                                                              fs::canonical(secret).string() +
                                                              ", outside the cache; refused");
}

TEST_F(HubCache, RefusesDamage) {
  fs::remove(model_ / "blobs/model.safetensors");
  EXPECT_EQ(refusal([] { open_checkpoint("org/tiny"); }),
            (snapshot_ / "model.safetensors").string() +
                ": a link to a file that is not in the cache; the download is incomplete");
  write_file_atomically(model_ / "refs/main", "../../../etc");
  EXPECT_EQ(refusal([] { open_checkpoint("org/tiny"); }),
            (model_ / "refs/main").string() + ": expected a commit, found something else");
  write_file_atomically(model_ / "refs/main", "0123");
  EXPECT_EQ(refusal([] { open_checkpoint("org/tiny"); }),
            (model_ / "snapshots/0123").string() +
                ": refs/main names this snapshot, but it is not there; the download is incomplete");
}

TEST_F(HubCache, OnlyHubNamesAreLookedUp) {
  for (const char* name : {"bert-base-uncased", "org/name", "a/b.c_d-e"}) EXPECT_TRUE(is_hub_name(name)) << name;
  for (const char* name : {"", "a/b/c", "../a", "a/../b", "/a", "a/", "a--b", "a b", ".", "a/.b"})
    EXPECT_FALSE(is_hub_name(name)) << name;
}

}  // namespace
}  // namespace normscope
