#include "nn/parameter.h"

#include <algorithm>
#include <cassert>

namespace normscope {

void ParameterSet::add(ParameterPtr parameter) {
  assert(!find(parameter->name));
  parameters_.push_back(std::move(parameter));
}

void ParameterSet::remove(const ParameterPtr& parameter) { std::erase(parameters_, parameter); }

ParameterPtr ParameterSet::find(const std::string& name) const {
  const auto found = std::ranges::find(parameters_, name, &Parameter::name);
  return found == parameters_.end() ? nullptr : *found;
}

int64_t ParameterSet::count() const {
  int64_t total = 0;
  for (const auto& parameter : parameters_) total += parameter->value.numel();
  return total;
}

}  // namespace normscope
