#include "experiments/step_products.h"

#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "models/edited_checkpoint.h"

namespace normscope {
namespace {

TEST(ProductRecorder, NotesForwardAndBackwardProductsWithTheirShapes) {
  const auto x = at::randn({5, 3}).requires_grad_(), weight = at::randn({4, 3}).requires_grad_(),
             bias = at::randn({4}).requires_grad_();
  std::vector<ProductShape> products;
  {
    const ProductRecorder recorder(products);
    at::linear(x, weight, bias).sum().backward();
  }
  at::mm(x, x.t());  // no longer noted
  ASSERT_EQ(products.size(), 3);
  EXPECT_EQ(products[0], (ProductShape{1, 5, 3, 4, false, true}));
  const auto multiplications = [](const ProductShape& p) { return p.batch * p.rows * p.inner * p.columns; };
  for (const auto& p : products) EXPECT_EQ(multiplications(p), 5 * 3 * 4);
  EXPECT_GT(time_products(products, at::kFloat), 0);
}

// Of three layers' six products after the attention's, the last layer's see one token a row.
TEST(ProductRecorder, TheLastBlockMultipliesOnlyWhatIsRead) {
  const auto model = load_model(open_checkpoint(model_fixture("bert").string()), exact_options());
  const auto rows = rows_of({{5, 6, 7, 8, 9, 10, 11}, {12, 13, 14, 15}});
  const auto products_on = [&](Observer* observer, int64_t tokens) {
    std::vector<ProductShape> products;
    const ProductRecorder recorder(products);
    logits_of(model, rows, observer);
    return std::ranges::count(products, tokens, &ProductShape::rows);
  };
  Observer passive;
  const auto layers = model.network.num_hidden_layers;
  EXPECT_EQ(products_on(&passive, 11), layers * 6);
  EXPECT_EQ(products_on(nullptr, 11), layers * 6 - 3);
}

}  // namespace
}  // namespace normscope
