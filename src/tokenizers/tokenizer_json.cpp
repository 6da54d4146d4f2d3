// Assembles a tokenizer from the components that a tokenizer.json names.
#include "core/error.h"
#include "tokenizers/tokenizer_parts.h"

namespace normscope {
namespace {

std::optional<int64_t> find_pad_id(const JsonPart& file, const Tokenizer::Parts& parts,
                                   const TokenizerSettings& settings) {
  const auto id_of = [&](const std::string& token) -> std::optional<int64_t> {
    const int32_t added = parts.added->id(token);
    const int32_t id = added >= 0 ? added : parts.model->vocabulary().id(token);
    return id >= 0 ? std::optional<int64_t>(id) : std::nullopt;
  };
  if (settings.pad_token) return id_of(*settings.pad_token);
  if (file.has("padding")) return file.at("padding").integer("pad_id");
  for (const char* usual : {"[PAD]", "<pad>"}) {
    const int32_t id = parts.added->id(usual);
    if (id >= 0) return id;
  }
  return std::nullopt;
}

}  // namespace

std::unique_ptr<const Tokenizer::Parts> assemble_tokenizer(const JsonPart& file, const TokenizerSettings& settings) {
  auto parts = std::make_unique<Tokenizer::Parts>();
  if (file.has("normalizer")) parts->normalizer = make_normalizer(file.at("normalizer"));
  if (file.has("pre_tokenizer")) parts->pre_tokenizer = make_pre_tokenizer(file.at("pre_tokenizer"));
  const bool byte_level = parts->pre_tokenizer && parts->pre_tokenizer->is_byte_level();
  parts->model = make_model(file.at("model"), byte_level);
  parts->added = std::make_unique<AddedTokens>(file, parts->model->vocabulary(), parts->normalizer.get());
  if (file.has("post_processor")) parts->post_processor = make_post_processor(file.at("post_processor"));
  if (file.has("decoder")) parts->decoder = make_decoder(file.at("decoder"));
  parts->pad_id = find_pad_id(file, *parts, settings);
  parts->truncates_left = settings.truncates_left;
  return parts;
}

std::shared_ptr<const Tokenizer> parse_tokenizer(std::string_view json_bytes, const std::string& place) {
  const nlohmann::json file = parse_json(json_bytes, place);
  return std::make_shared<const Tokenizer>(assemble_tokenizer(JsonPart(file, place), {}));
}

}  // namespace normscope
