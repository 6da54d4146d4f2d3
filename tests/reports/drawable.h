// Whether gnuplot draws what the figures say.
#pragma once
#include <gtest/gtest.h>

#include "reports/figures.h"

namespace normscope {

// Nothing is asked where gnuplot is missing.
inline void expect_drawable(const FigureGroup& group) {
  for (const auto& figure : group.figures) {
    const auto picture = draw(figure, Drawing::Svg, "gnuplot");  // throws when gnuplot refuses the commands
    if (picture) {
      EXPECT_NE(picture->find("<svg"), std::string::npos);
    }
  }
}

}  // namespace normscope
