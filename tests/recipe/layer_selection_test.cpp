// norm.layers: the words, the list, the thirds.
#include "recipe/layer_selection.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace normscope {
namespace {

using Kind = LayerSelection::Kind;

std::string message_of(std::string_view text) {
  try {
    parse_layer_selection(text);
  } catch (const Error& error) {
    const std::string message = error.what();
    return message.substr(message.find("found"));
  }
  return "accepted";
}

TEST(LayerSelection, ReadsWordsAndLists) {
  EXPECT_EQ(parse_layer_selection("none").kind, Kind::None);
  EXPECT_EQ(parse_layer_selection("blocks").kind, Kind::Blocks);
  const auto list = parse_layer_selection("7, 0-3");
  EXPECT_EQ(list, (LayerSelection{Kind::Listed, {{0, 3}, {7, 7}}}));
  EXPECT_TRUE(list.contains(2, 12));
  EXPECT_FALSE(list.contains(4, 12));
  EXPECT_TRUE(list.contains(7, 12));
}

TEST(LayerSelection, ThirdsCoverEveryLayerOnceAndTheRestIsLater) {
  for (const int64_t num_layers : {1, 2, 3, 6, 12, 24, 25, 26}) {
    int64_t counts[3] = {};
    for (int64_t layer = 0; layer < num_layers; ++layer) {
      int members = 0;
      for (const Kind kind : {Kind::Early, Kind::Middle, Kind::Later}) {
        const bool is_member = LayerSelection{kind, {}}.contains(layer, num_layers);
        members += is_member;
        counts[static_cast<int>(kind) - static_cast<int>(Kind::Early)] += is_member;
      }
      EXPECT_EQ(members, 1) << layer << " of " << num_layers;
    }
    EXPECT_EQ(counts[0], num_layers / 3);
    EXPECT_EQ(counts[1], num_layers / 3);
  }
}

TEST(LayerSelection, RefusesWhatItCannotRead) {
  EXPECT_EQ(message_of(""), "found \"\": \"\" is no layer");
  EXPECT_EQ(message_of("3-1"), "found \"3-1\": \"3-1\" runs backwards");
  EXPECT_EQ(message_of("0-3,2"), "found \"0-3,2\": layer 2 is listed twice");
  EXPECT_EQ(message_of("1,"), "found \"1,\": \"\" is no layer");
  EXPECT_EQ(message_of("-1"), "found \"-1\": \"\" is no layer");
  EXPECT_EQ(message_of("1--2"), "found \"1--2\": \"-2\" is no layer");
  EXPECT_EQ(message_of("99999999999999999999"), "found \"99999999999999999999\": \"99999999999999999999\" is no layer");
  EXPECT_EQ(message_of("midle"), "found \"midle\"; did you mean middle?");
}

TEST(LayerSelection, ListedLayersMustExist) {
  EXPECT_NO_THROW(check_layer_selection(parse_layer_selection("0-11"), 12));
  EXPECT_THROW(check_layer_selection(parse_layer_selection("0-12"), 12), Error);
}

}  // namespace
}  // namespace normscope
