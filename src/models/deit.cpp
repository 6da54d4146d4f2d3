// DeiT: ViT with a distillation token, read at [CLS] only.
// Source: transformers models/deit/modeling_deit.py, DeiTForImageClassification.
#include "models/vit_encoder.h"

namespace normscope {

Network deit(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  return vit_network(config, root, options, {"deit", true, 1e-12, false});
}

}  // namespace normscope
