// Tables say the same in every format and let no text break out of its cell.
#include "reports/table.h"

#include <gtest/gtest.h>

#include "reports/noisy_rows_page.h"
#include "reports/page_parts.h"
#include "reports/words.h"

namespace normscope {
namespace {

Table example() {
  Table table{"A & B", {{"name"}, {"change", true, "points"}}, {}, "100 % of it"};
  table.add({{"x|y\n<b>"}, {"−1.5", "[−2.0, −1.0]"}});
  table.add({{"é"}, {"3.0"}});
  return table;
}

TEST(Table, Text) {
  EXPECT_EQ(to_text(example()),
            "A & B\n"
            "name       change (points)\n"
            "-------  -----------------\n"
            "x|y <b>  −1.5 [−2.0, −1.0]\n"
            "é                      3.0\n"
            "100 % of it\n");
}

TEST(Table, Markdown) {
  EXPECT_EQ(to_markdown(example()),
            "**A & B**\n\n| name | change (points) |\n|---|---:|\n| x\\|y <b> | −1.5 [−2.0, −1.0] |\n| é | 3.0 |\n"
            "\n100 % of it\n");
}

TEST(Table, Latex) {
  EXPECT_EQ(to_latex(example()),
            "\\begin{table}\n\\centering\n\\begin{tabular}{lr}\n\\toprule\nname & change (points) \\\\\n\\midrule\n"
            "x$|$y $<$b$>$ & $-$1.5 [$-$2.0, $-$1.0] \\\\\né & 3.0 \\\\\n\\bottomrule\n\\end{tabular}\n"
            "\\caption{A \\& B. 100 \\% of it}\n\\end{table}\n");
}

TEST(Table, HtmlEscapes) {
  const auto html = to_html(example());
  EXPECT_NE(html.find("x|y\n&lt;b&gt;"), std::string::npos);
  EXPECT_NE(html.find("<figcaption>A &amp; B</figcaption>"), std::string::npos);
  EXPECT_NE(html.find("−1.5 <small>[−2.0, −1.0]</small>"), std::string::npos);
  EXPECT_EQ(escape_html("<a href=\"x\" id='y'>&"), "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;");
}

TEST(Table, LatexEscapesEverySpecial) {
  EXPECT_EQ(escape_latex("\\ & % $ # _ { } ~ ^ < >"),
            "\\textbackslash{} \\& \\% \\$ \\# \\_ \\{ \\} \\~{} \\^{} $<$ $>$");
}

TEST(Words, Numbers) {
  EXPECT_EQ(fixed(-0.04), "0.0");
  EXPECT_EQ(fixed(-1.25, 2), "−1.25");
  EXPECT_EQ(fixed(kUndefined), "–");
  EXPECT_EQ(with_sign(0.04), "0.0");
  EXPECT_EQ(with_sign(2), "+2.0");
  EXPECT_EQ(p_words(0.0004), "< 0.001");
  EXPECT_EQ(p_words(0.0123), "0.012");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(count_words(1, "seed"), "1 seed");
}

TEST(Words, Selections) {
  EXPECT_EQ(selection_words("none"), "intact");
  EXPECT_EQ(selection_words("all"), "all removed");
  EXPECT_EQ(selection_words("paper:early"), "early removed (paper's policy)");
  EXPECT_EQ(selection_words("0-3,7"), "layers 0-3,7 removed");
  EXPECT_EQ(selection_colour("paper:all"), selection_colour("all"));
}

TEST(NoisyRows, StoryOfARow) {
  EXPECT_EQ(outcome_story({0, 1, 2, 3, 5}, {'o', 'r', 'r', 'm', 'm'}), "other 0, recovered 1–2, memorized 3–5");
}

TEST(Base64, AgreesWithTheStandardsExamples) {  // RFC 4648, section 10
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(to_base64("\xff\xfe\xfd"), "//79");
}

}  // namespace
}  // namespace normscope
