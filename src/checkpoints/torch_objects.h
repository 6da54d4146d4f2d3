// The few torch objects that the pickle of a checkpoint may hold.
#pragma once
#include <string>

#include "checkpoints/pickle_machine.h"

namespace normscope {

class TorchObjects : public PickleObjects {
 public:
  PickleValue* global(PickleValues& values, const std::string& name, const PickleBytes& place) const override;
  // A storage: ("storage", type, key, device, elements).
  PickleValue* persistent(PickleValues& values, const PickleValue& id, const PickleBytes& place) const override;
  // An empty dict, a tensor, or a parameter's tensor.
  PickleValue* call(PickleValues& values, const PickleValue& function, const PickleValue& arguments,
                    const PickleBytes& place) const override;
  void set_state(PickleValue& object, const PickleValue& state, const PickleBytes& place) const override;
};

}  // namespace normscope
