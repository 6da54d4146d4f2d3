// normscope inspect
#include <cstdio>
#include <iostream>

#include "cli/commands.h"
#include "experiments/open_model.h"
#include "interventions/norm_selector.h"

namespace normscope {
namespace {

using Json = nlohmann::ordered_json;

Json names_of(const std::vector<NormPtr>& norms) {
  Json names = Json::array();
  for (const auto& norm : norms) names.push_back(norm->site().name);
  return names;
}

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json inspection(const Model& model) {
  const int64_t L = model.network.num_hidden_layers;
  const auto type = model.architecture->model_type;
  Json out;
  out["model_type"] = type;
  out["placement"] = to_text(model.network.placement);
  out["num_hidden_layers"] = L;
  out["num_labels"] = model.num_labels;
  out["max_tokens"] = model.network.max_tokens;
  out["parameters"] = model.parameters.count();
  out["drawn_parameters"] = model.drawn;
  out["norms"] = Json::array();
  for (const auto& norm : model.norms) {
    const auto& site = norm->site();
    out["norms"].push_back({{"name", site.name},
                            {"layer", site.layer < 0 ? Json(nullptr) : Json(site.layer)},
                            {"role", role_name(site.role)},
                            {"group", or_null(layer_group(site.layer, L))},
                            {"type", kind_name(norm->kind())},
                            {"size", norm->size()},
                            {"eps", norm->eps()},
                            {"affine", norm->affine()}});
  }
  out["policies"] = Json::object();
  for (const auto* policy : paper_policies())
    if (const auto norms = find_paper_policy(type, model.norms, L, policy))
      out["policies"][std::string("paper:") + policy] = names_of(*norms);
  // The clean selections, which never mix embedding and final norms with the blocks'.
  out["layers"] = Json::object();
  for (const auto* layers : {"all", "blocks", "early", "middle", "later"})
    out["layers"][layers] = names_of(select_norms(model.norms, L, parse_layer_selection(layers), {}));
  return out;
}

void print_table(const Json& i) {
  std::cout << i["model_type"].get<std::string>() << ", " << i["placement"].get<std::string>() << ", "
            << i["num_hidden_layers"] << " layers, " << i["parameters"] << " parameters\n\n";
  std::printf("%-52s %5s  %-12s %-7s %-10s %6s  %-9s %s\n", "norm", "layer", "role", "group", "type", "size", "eps",
              "affine");
  for (const auto& norm : i["norms"]) {
    const auto text = [&](const char* key) {
      return norm[key].is_null()     ? std::string("-")
             : norm[key].is_string() ? norm[key].get<std::string>()
                                     : norm[key].dump();
    };
    std::printf("%-52s %5s  %-12s %-7s %-10s %6s  %-9s %s\n", text("name").c_str(), text("layer").c_str(),
                text("role").c_str(), text("group").c_str(), text("type").c_str(), text("size").c_str(),
                text("eps").c_str(), norm["affine"] ? "yes" : "removed");
  }
  std::printf("\n%-24s %s\n", "selection", "norms it touches");
  for (const auto* section : {"layers", "policies"})
    for (const auto& [name, norms] : i[section].items())
      std::printf("%-24s %zu\n", (std::string(section == std::string("layers") ? "layers = " : "") + name).c_str(),
                  norms.size());
}

}  // namespace

std::function<int()> add_inspect(CLI::App& app) {
  struct Arguments {
    std::string checkpoint;
    bool json = false;
  };
  auto a = std::make_shared<Arguments>();
  app.add_option("checkpoint", a->checkpoint, "Folder, finished run, or org/name in the local hub cache")->required();
  app.add_flag("--json", a->json, "One JSON document");
  return [a] {
    const auto opened = open_model(a->checkpoint, {});
    const auto result = inspection(opened.model);
    if (a->json)
      std::cout << result.dump(2) << '\n';
    else
      print_table(result);
    return 0;
  };
}

}  // namespace normscope
