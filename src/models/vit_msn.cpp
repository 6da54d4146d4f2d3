// ViT-MSN: ViT pretrained by masked siamese networks; no pooler, its own epsilon.
// Source: transformers models/vit_msn/modeling_vit_msn.py, ViTMSNForImageClassification.
#include "models/vit_encoder.h"

namespace normscope {

Network vit_msn(const ConfigReader& config, const Scope& root, const BuildOptions& options) {
  return vit_network(config, root, options, {"vit", false, 1e-6, false});
}

}  // namespace normscope
