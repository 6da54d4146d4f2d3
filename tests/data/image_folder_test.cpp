// Pictures as rows: folders of classes, columns of paths, bad pictures, and what is refused.
#include <algorithm>

#include "data/data_test.h"
#include "data/formats.h"
#include "data/label_noise.h"

namespace normscope {
namespace {

using Row = std::pair<std::string, std::string>;
using Rows = std::vector<Row>;
using Names = std::vector<std::string>;

class ImageFolder : public DataFiles {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // Paths below the test's folder, and labels.
  Rows rows_of(const SourceRows& file) const {
    Rows rows;
    for (const auto& row : file.rows)
      rows.emplace_back(std::filesystem::path(row.image.file).lexically_relative(folder_).string(), row.label);
    return rows;
  }
  std::string error(const std::string& name, const ReadOptions& options = {}) const {
    return error_of([&] { read_image_folder(path(name), options); }, ErrorKind::Data);
  }
};

TEST_F(ImageFolder, ClassesAndFilesComeInByteOrderAndNestedFoldersBelongToTheirClass) {
  for (const char* name : {"d/b/2.png", "d/b/10.JPG", "d/B/x.webp", "d/b/deep/er/a.gif", "d/b/1.bmp", "d/a/z.jpeg"})
    write(name, name);
  const auto file = read_source_rows(path("d"), "auto", {});
  EXPECT_EQ(rows_of(file), (Rows{{"d/B/x.webp", "B"},
                                 {"d/a/z.jpeg", "a"},
                                 {"d/b/1.bmp", "b"},
                                 {"d/b/10.JPG", "b"},
                                 {"d/b/2.png", "b"},
                                 {"d/b/deep/er/a.gif", "b"}}));
  EXPECT_TRUE(file.has_images && file.has_labels);
  EXPECT_EQ(file.rows[5].source_row, 5);
  EXPECT_FALSE(is_raw(file.rows[0].image));
  EXPECT_TRUE(file.notes.empty());
}

TEST_F(ImageFolder, CountsInOneNoteWhatItPassesOver) {
  for (const char* name :
       {"d/a/1.png", "d/a/.hidden.png", "d/a/.git/2.png", "d/a/read.me", "d/top.png", "d/.hid/3.png", "d/a/png"})
    write(name, name);
  std::filesystem::create_directory(path("d/nothing"));
  const auto file = read_image_folder(path("d"), {});
  EXPECT_EQ(rows_of(file), (Rows{{"d/a/1.png", "a"}}));
  EXPECT_EQ(file.notes,
            (Names{path("d") + ": class folders without pictures: nothing",
                   path("d") + ": passed over 6 files or folders that are hidden, no picture by their extension, or in "
                               "no class folder"}));
}

TEST_F(ImageFolder, WalksLinksAndNamesALoop) {
  write("elsewhere/1.png", "1");
  write("d/a/2.png", "2");
  std::filesystem::create_directory_symlink(path("elsewhere"), path("d/b"));
  EXPECT_EQ(rows_of(read_image_folder(path("d"), {})), (Rows{{"d/a/2.png", "a"}, {"d/b/1.png", "b"}}));
  std::filesystem::create_directories(path("d/a/in"));
  std::filesystem::create_directory_symlink(path("d/a"), path("d/a/in/loop"));
  EXPECT_EQ(error("d"), path("d/a/in/loop") + ": the folder is a link back to " +
                            std::filesystem::canonical(path("d/a")).string() + ", which it is in");
}

TEST_F(ImageFolder, NeedsClassFoldersOnlyWhereLabelsAreNeeded) {
  write("d/1.png", "1");
  EXPECT_EQ(error("d"), path("d") + ": no class folder; image_folder expects a folder of pictures for each class");
  EXPECT_EQ(error("d/1.png"), path("d/1.png") + ": image_folder expects a folder");
  ReadOptions options;
  options.needs_labels = false;
  const auto file = read_image_folder(path("d"), options);
  EXPECT_EQ(rows_of(file), (Rows{{"d/1.png", ""}}));
  EXPECT_FALSE(file.has_labels);
  options.labels_in_names = true;
  write("d/more/2.png", "2");
  EXPECT_EQ(rows_of(read_image_folder(path("d"), options)), (Rows{{"d/1.png", ""}, {"d/more/2.png", ""}}));
}

TEST_F(ImageFolder, ABrokenLinkIsABadRow) {
  write("d/a/1.png", "1");
  std::filesystem::create_symlink(path("gone.png"), path("d/a/0.png"));
  EXPECT_EQ(error("d"), path("d/a/0.png") + ": expected a file, found something else");
  ReadOptions options;
  options.skips_bad_rows = true;
  const auto file = read_image_folder(path("d"), options);
  ASSERT_EQ(file.skipped.size(), 1U);
  EXPECT_EQ(file.skipped[0].file, path("d/a/0.png"));
  EXPECT_EQ(file.skipped[0].line, 0);
  EXPECT_EQ(file.rows[0].source_row, 1);
}

TEST_F(ImageFolder, ColumnsOfPathsStartAtTheDataFilesFolder) {
  write("in/pictures/1.png", "1");
  ReadOptions options;
  options.image_column = "image";
  const auto csv = write("in/rows.csv", "image;label\npictures/1.png;x\npictures/2.png;y\n;z\n");
  const auto jsonl = write("in/rows.jsonl", "{\"image\": \"pictures/1.png\", \"label\": 7}\n");
  EXPECT_EQ(error_of([&] { read_source_rows(csv, "auto", options); }, ErrorKind::Data),
            csv + ":3: no picture file " + path("in/pictures/2.png"));
  options.skips_bad_rows = true;
  const auto file = read_source_rows(csv, "auto", options);
  EXPECT_EQ(rows_of(file), (Rows{{"in/pictures/1.png", "x"}}));
  ASSERT_EQ(file.skipped.size(), 2U);
  EXPECT_EQ(file.skipped[1].reason, "the picture's path is empty");
  EXPECT_EQ(file.skipped[1].line, 4);
  EXPECT_EQ(rows_of(read_source_rows(jsonl, "auto", options)), (Rows{{"in/pictures/1.png", "7"}}));
  const auto txt = write("in/rows.txt", "pictures/1.png;x\n");
  EXPECT_EQ(error_of([&] { read_source_rows(txt, "auto", options); }, ErrorKind::Usage),
            txt + ": a txt file holds texts; image_column \"image\" needs csv, tsv or jsonl");
}

class ImageSplits : public ImageFolder {
 protected:
  // 4 pictures of each of 3 classes.
  std::string small_folder() {
    for (const char* name : {"a", "b", "c"})
      for (int i = 0; i < 4; ++i)
        write(std::string("train/") + name + "/" + std::to_string(i) + ".png", name + std::to_string(i));
    return path("train");
  }
};

TEST_F(ImageSplits, SplitAndDrawNoiseAsTextsDo) {
  const auto train = small_folder();
  const auto splits = load_splits(train, "", "", {.validation_fraction = 0.25}, {});
  EXPECT_EQ(splits.classes, (Names{"a", "b", "c"}));
  ASSERT_EQ(splits.train.images.size(), 9U);
  ASSERT_EQ(splits.validation.images.size(), 3U);
  EXPECT_TRUE(splits.train.texts.empty());
  std::string rows = "text,label\n";
  for (const char* name : {"a", "b", "c"})
    for (int i = 0; i < 4; ++i) rows += std::string(name) + std::to_string(i) + "," + name + "\n";
  const auto texts = load_splits(write("t.csv", rows), "", "", {.validation_fraction = 0.25}, {});
  EXPECT_EQ(splits.train.source_rows, texts.train.source_rows);
  EXPECT_EQ(splits.train.labels, texts.train.labels);
  for (size_t i = 0; i < 9; ++i)  // the file's name holds what the file holds
    EXPECT_EQ(path("train/" + texts.train.texts[i].substr(0, 1) + "/" + texts.train.texts[i].substr(1) + ".png"),
              splits.train.images[i].file);
  const NoiseOptions noise{.kind = "symmetric", .rate = 0.5};
  EXPECT_EQ(draw_label_noise(noise, splits.train, splits.classes).rows,
            draw_label_noise(noise, texts.train, texts.classes).rows);
}

TEST_F(ImageSplits, QualityGoesByTheBytes) {
  const auto train = small_folder();
  write("train/a/4.png", "a1");  // as a/1
  write("train/b/5.png", "c0");  // as c/0, another label
  write("test/a/1.png", "new");
  write("test/b/1.png", "b2");
  const auto quality = load_splits(train, "", path("test"), {}, {}).quality;
  EXPECT_EQ(quality.duplicates, (std::vector<std::vector<int64_t>>{{1, 4}}));
  EXPECT_EQ(quality.conflicting, (std::vector<std::vector<int64_t>>{{9, 10}}));
  EXPECT_EQ(quality.test_in_train, (std::vector<std::pair<int64_t, int64_t>>{{1, 7}}));
  EXPECT_TRUE(quality.validation_in_train.empty());
}

TEST_F(ImageSplits, BadPicturesAreErrorsOrListedBeforeAnythingIsDrawn) {
  const auto train = small_folder();
  DataOptions options;
  options.check_image = [](const ImageSource& source) {
    const bool is_bad = source.file.ends_with("a/2.png") || source.file.ends_with("c/0.png");
    return std::string(is_bad ? "is broken" : "");
  };
  EXPECT_EQ(error_of([&] { load_splits(train, "", "", options, {}); }, ErrorKind::Data),
            path("train/a/2.png") + ": is broken");
  options.on_bad_row = "skip";
  const auto splits = load_splits(train, "", "", options, {});
  EXPECT_EQ(splits.train.source_rows, (std::vector<int64_t>{0, 1, 3, 4, 5, 6, 7, 9, 10, 11}));
  ASSERT_EQ(splits.skipped.size(), 2U);
  EXPECT_EQ(splits.skipped[1].file, path("train/c/0.png"));
  EXPECT_EQ(splits.skipped[1].source_row, 8);
  EXPECT_EQ(splits.skipped[1].reason, "is broken");

  options.image_column = "image";
  const auto csv = write("rows.csv", "image,label\ntrain/a/1.png,x\ntrain/a/2.png,y\n");
  options.on_bad_row = "error";
  EXPECT_EQ(error_of([&] { load_splits(csv, "", "", options, {}); }, ErrorKind::Data),
            csv + ":3: " + path("train/a/2.png") + ": is broken");
}

TEST_F(ImageSplits, TextsAndPicturesDoNotMix) {
  const auto train = small_folder();
  const auto test = write("test.csv", "text,label\nt,a\n");
  EXPECT_EQ(error_of([&] { load_splits(train, "", test, {}, {}); }, ErrorKind::Data),
            test + ": rows are texts; those of " + train + " are pictures");
}

TEST_F(ImageSplits, LoadWithTheClassesOfACheckpoint) {
  const auto folder = small_folder();
  const auto loaded = load_dataset(folder, {}, Names{"c", "a", "b"}, true);
  EXPECT_EQ(loaded.rows.labels, (std::vector<int>{1, 1, 1, 1, 2, 2, 2, 2, 0, 0, 0, 0}));
  EXPECT_TRUE(loaded.rows.has_images());
  EXPECT_EQ(error_of(
                [&] {
                  load_dataset(folder, {}, Names{"a", "b"}, true);
                },
                ErrorKind::Data),
            path("train/c/0.png") + ": class \"c\" does not exist; classes are a, b; did you mean \"a\"?");
  EXPECT_EQ(load_dataset(folder, {}, Names{"a", "b"}, false).rows.labels[11], -1);
}

}  // namespace
}  // namespace normscope
