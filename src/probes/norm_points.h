// What a pass shows of every norm and of the sublayer beside it.
#pragma once
#include <map>
#include <string>

#include "measurements/norm_place.h"
#include "nn/norm.h"

namespace normscope {

struct NormPoint {
  torch::Tensor input, alias;  // [N, D]: all that is said of the input, and the norm's own view of it
  torch::Tensor output;        // [N, D]
  torch::Tensor sublayer;      // [N, D], undefined for norms outside blocks
};

class NormPoints : public Observer {
 public:
  torch::Tensor norm_input(const NormSite& site, const torch::Tensor& x) override {
    auto& point = points_[site.name];
    point.input = x;
    return point.alias = x.view_as(x);
  }
  torch::Tensor norm_output(const NormSite& site, const torch::Tensor& y) override {
    return points_[site.name].output = y;
  }
  torch::Tensor sublayer_output(const NormSite& site, const torch::Tensor& y) override {
    return points_[site.name].sublayer = y;
  }

  // A norm that the pass went through.
  const NormPoint& at(const NormSite& site) const { return points_.at(site.name); }

 private:
  std::map<std::string, NormPoint> points_;
};

inline NormPlace place_of(const NormSite& site) { return {site.name, site.layer, role_name(site.role)}; }

}  // namespace normscope
