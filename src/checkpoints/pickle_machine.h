// A stack machine for the few pickle operations that data needs; which objects there may be is the caller's to say.
// Source: CPython Lib/pickletools.py, the operations' codes and arguments.
#pragma once
#include <span>
#include <unordered_map>

#include "checkpoints/pickle_bytes.h"
#include "checkpoints/pickle_value.h"

namespace normscope {

// The objects that a kind of pickle may hold. Each function refuses by name what is not one of them, and makes values
// of what is: nothing is looked up, called or executed.
class PickleObjects {
 public:
  virtual ~PickleObjects() = default;
  // The global "module name".
  virtual PickleValue* global(PickleValues& values, const std::string& name, const PickleBytes& place) const = 0;
  // What a persistent id stands for.
  virtual PickleValue* persistent(PickleValues& values, const PickleValue& id, const PickleBytes& place) const = 0;
  // What the known `function` makes of `arguments`.
  virtual PickleValue* call(PickleValues& values, const PickleValue& function, const PickleValue& arguments,
                            const PickleBytes& place) const = 0;
  virtual void set_state(PickleValue& object, const PickleValue& state, const PickleBytes& place) const = 0;
};

// The global's name in `known`, refused with a printable part of it otherwise; `needer` is "a checkpoint of tensors".
PickleValue* allowed_global(PickleValues& values, std::span<const std::string_view> known, const std::string& name,
                            const char* needer, const PickleBytes& place);

class PickleMachine {
 public:
  PickleMachine(std::string_view bytes, const std::string& origin, const PickleObjects& objects)
      : bytes_(bytes, origin), objects_(objects) {}

  // The pickled value; it lives as long as the machine. Throws Error(Checkpoint) that starts with `origin`.
  const PickleValue& run();

 private:
  using Value = PickleValue;
  using Kind = PickleValue::Kind;

  void push(Value* value) { stack_.push_back(value); }
  Value* top() const;
  Value* pop();
  std::vector<Value*> pop_some(size_t count);
  std::vector<Value*> pop_to_mark();
  // Each is false where the operation is not one of its own.
  bool push_constant(uint8_t code);
  bool push_integer(uint8_t code);
  bool push_number(Kind kind, int64_t number);
  bool push_text(uint8_t code);
  bool push_bytes(uint8_t code);
  bool push_container(uint8_t code);
  void push_tuple(std::vector<Value*> items);
  bool fill_container(uint8_t code);
  void append(const std::vector<Value*>& items);
  void set_items(const std::vector<Value*>& items);
  bool use_memo(uint8_t code);
  Value* recall(uint32_t index) const;
  void rebuild(uint8_t code);

  PickleBytes bytes_;
  const PickleObjects& objects_;
  PickleValues values_;
  Value nothing_;  // every None and every fraction: nothing that is wanted is made of either
  std::vector<Value*> stack_;
  std::vector<size_t> marks_;  // heights of the stack
  std::unordered_map<uint32_t, Value*> memo_;
};

}  // namespace normscope
