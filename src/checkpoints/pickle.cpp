// A stack machine for the few pickle operations of torch.save's files.
// Source: CPython Lib/pickletools.py, the operations' codes and arguments.
#include "checkpoints/pickle.h"

#include <unordered_map>

#include "checkpoints/pickle_bytes.h"
#include "checkpoints/pickle_value.h"
#include "core/text.h"

namespace normscope {
namespace {

using Value = PickleValue;
using Kind = PickleValue::Kind;

constexpr size_t kMaxPickleBytes = 1 << 24;  // names and shapes only; the largest published ones have 1 MB

class Machine {
 public:
  Machine(std::string_view bytes, const std::string& origin) : bytes_(bytes, origin) {}

  const Value& run() {
    for (;;) {
      const auto code = bytes_.number<uint8_t>();
      if (code == '.') return *pop();
      if (!push_constant(code) && !push_text(code) && !push_container(code) && !fill_container(code) && !use_memo(code))
        rebuild(code);
    }
  }

 private:
  void push(Value* value) { stack_.push_back(value); }

  // Values below the last mark belong to somebody else.
  Value* top() const {
    bytes_.demand(stack_.size() > (marks_.empty() ? 0 : marks_.back()), "an operation finds too few values");
    return stack_.back();
  }
  Value* pop() {
    Value* value = top();
    stack_.pop_back();
    return value;
  }
  std::vector<Value*> pop_some(size_t count) {
    std::vector<Value*> items(count);
    while (count > 0) items[--count] = pop();
    return items;
  }
  std::vector<Value*> pop_to_mark() {
    bytes_.demand(!marks_.empty(), "an operation finds no mark");
    const auto begin = stack_.begin() + static_cast<ptrdiff_t>(marks_.back());
    std::vector<Value*> items(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return items;
  }

  bool push_number(Kind kind, int64_t number) {
    push(values_.make(kind));
    stack_.back()->number = number;
    return true;
  }
  bool push_constant(uint8_t code) {
    if (code == 0x80) {
      bytes_.demand(bytes_.number<uint8_t>() <= 5, "an unknown pickle protocol");
    } else if (code == 0x95) {
      bytes_.take(8);  // a frame: only says how much to read ahead
    } else if (code == 'N') {
      push(&nothing_);
    } else if (code == 'G') {
      bytes_.take(8);
      push(&nothing_);
    } else {
      return push_integer(code);
    }
    return true;
  }
  bool push_integer(uint8_t code) {
    if (code == 0x88) return push_number(Kind::Bool, 1);
    if (code == 0x89) return push_number(Kind::Bool, 0);
    if (code == 'J') return push_number(Kind::Int, bytes_.number<int32_t>());
    if (code == 'K') return push_number(Kind::Int, bytes_.number<uint8_t>());
    if (code == 'M') return push_number(Kind::Int, bytes_.number<uint16_t>());
    if (code == 0x8a) return push_number(Kind::Int, bytes_.take_long());
    return false;
  }

  bool push_text(uint8_t code) {
    uint64_t length = 0;
    if (code == 'X')
      length = bytes_.number<uint32_t>();
    else if (code == 0x8c)
      length = bytes_.number<uint8_t>();
    else if (code == 0x8d)
      length = bytes_.number<uint64_t>();
    else
      return false;
    const auto text = bytes_.take(length);
    bytes_.demand(find_invalid_utf8(text) == std::string_view::npos, "text that is not UTF-8");
    push(values_.make(Kind::Text));
    stack_.back()->text = text;
    return true;
  }

  bool push_container(uint8_t code) {
    if (code == '(')
      marks_.push_back(stack_.size());
    else if (code == ')')
      push(values_.make(Kind::Tuple));
    else if (code == ']')
      push(values_.make(Kind::List));
    else if (code == '}')
      push(values_.make(Kind::Dict));
    else if (code == 't')
      push_tuple(pop_to_mark());
    else if (code >= 0x85 && code <= 0x87)
      push_tuple(pop_some(code - size_t{0x84}));
    else
      return false;
    return true;
  }
  void push_tuple(std::vector<Value*> items) {
    push(values_.make(Kind::Tuple));
    stack_.back()->items = std::move(items);
  }

  bool fill_container(uint8_t code) {
    if (code == 'a')
      append(pop_some(1));
    else if (code == 'e')
      append(pop_to_mark());
    else if (code == 's')
      set_items(pop_some(2));
    else if (code == 'u')
      set_items(pop_to_mark());
    else
      return false;
    return true;
  }
  void append(const std::vector<Value*>& items) {
    Value* list = top();
    bytes_.demand(list->kind == Kind::List, "expected a list to append to");
    list->items.insert(list->items.end(), items.begin(), items.end());
  }
  void set_items(const std::vector<Value*>& items) {
    Value* dict = top();
    bytes_.demand(dict->kind == Kind::Dict && items.size() % 2 == 0, "expected a dict and pairs of key and value");
    for (size_t i = 0; i < items.size(); i += 2) dict->dict.emplace_back(items[i], items[i + 1]);
  }

  bool use_memo(uint8_t code) {
    if (code == 'q')
      memo_[bytes_.number<uint8_t>()] = top();
    else if (code == 'r')
      memo_[bytes_.number<uint32_t>()] = top();
    else if (code == 0x94)
      memo_[static_cast<uint32_t>(memo_.size())] = top();
    else if (code == 'h')
      push(recall(bytes_.number<uint8_t>()));
    else if (code == 'j')
      push(recall(bytes_.number<uint32_t>()));
    else
      return false;
    return true;
  }
  Value* recall(uint32_t index) const {
    const auto found = memo_.find(index);
    bytes_.demand(found != memo_.end(), "memo ", index, " was never set");
    return found->second;
  }

  void rebuild(uint8_t code) {
    if (code == 'c') {
      const std::string module(bytes_.take_line());
      push(known_global(values_, module + " " + std::string(bytes_.take_line()), bytes_));
    } else if (code == 0x93) {
      const auto names = pop_some(2);
      bytes_.demand(names[0]->kind == Kind::Text && names[1]->kind == Kind::Text, "expected a module and a name");
      push(known_global(values_, std::string(names[0]->text) + " " + std::string(names[1]->text), bytes_));
    } else if (code == 'Q') {
      push(describe_storage(values_, *pop(), bytes_));
    } else if (code == 'R') {
      const Value* arguments = pop();
      push(rebuild_object(values_, *pop(), *arguments, bytes_));
    } else if (code == 'b') {  // the attributes of an OrderedDict: torch's _metadata, which holds no tensor
      pop();
      bytes_.demand(top()->kind == Kind::Dict, "attributes for something other than an OrderedDict");
    } else {
      bytes_.demand(false, "pickle operation ", static_cast<int>(code), " is not one that torch.save needs; refused");
    }
  }

  PickleBytes bytes_;
  PickleValues values_;
  Value nothing_;  // every None and every fraction: no tensor is made of either
  std::vector<Value*> stack_;
  std::vector<size_t> marks_;  // heights of the stack
  std::unordered_map<uint32_t, Value*> memo_;
};

}  // namespace

std::map<std::string, PickledTensor> parse_state_dict_pickle(std::string_view bytes, const std::string& origin) {
  require(bytes.size() <= kMaxPickleBytes, ErrorKind::Checkpoint, origin, ": ", bytes.size(),
          " bytes of names, expected at most ", kMaxPickleBytes);
  Machine machine(bytes, origin);
  const Value* root = &machine.run();
  for (const auto& [key, value] : root->dict)
    if (key->kind == Kind::Text && key->text == "state_dict" && value->kind == Kind::Dict) {
      root = value;
      break;
    }
  require(root->kind == Kind::Dict, ErrorKind::Checkpoint, origin, ": expected a state dict, found something else");
  std::map<std::string, PickledTensor> tensors;
  for (const auto& [key, value] : root->dict) {
    require(key->kind == Kind::Text, ErrorKind::Checkpoint, origin, ": a state dict with keys that are not text");
    const std::string name(key->text);
    require(value->kind == Kind::Tensor, ErrorKind::Checkpoint, origin, ": entry '", name, "' is not a tensor");
    require(tensors.emplace(name, *value->tensor).second, ErrorKind::Checkpoint, origin, ": tensor '", name,
            "' comes twice");
  }
  return tensors;
}

}  // namespace normscope
