// ViT: a Pre-LN encoder of picture patches.
// Source: transformers models/vit/modeling_vit.py, ViTForImageClassification.
#include "models/vit_encoder.h"

namespace normscope {

Network vit(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  return vit_network(config, root, options, {"vit", false, 1e-12, true});
}

}  // namespace normscope
