// A stack machine for the few pickle operations of torch.save's files.
// Source: CPython Lib/pickletools.py (operations), torch/serialization.py and torch/_utils.py (what is
// rebuilt).
#include "checkpoints/pickle.h"

#include <cstring>
#include <deque>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/text.h"

namespace normscope {
namespace {

enum class Kind { None, Bool, Int, Float, Text, Tuple, List, Dict, Global, Storage, Tensor };

struct Value {
  Kind kind = Kind::None;
  int64_t number = 0;                           // Bool, Int
  std::string_view text;                        // Text; Global: the name; Storage: its key
  std::vector<Value*> items;                    // Tuple, List
  std::vector<std::pair<Value*, Value*>> dict;  // Dict
  DType dtype = DType::F32;                     // Storage
  const PickledTensor* tensor = nullptr;
};

constexpr std::pair<std::string_view, DType> kStorages[] = {
    {"torch DoubleStorage", DType::F64}, {"torch FloatStorage", DType::F32},
    {"torch HalfStorage", DType::F16},   {"torch BFloat16Storage", DType::BF16},
    {"torch LongStorage", DType::I64},   {"torch IntStorage", DType::I32},
    {"torch ShortStorage", DType::I16},  {"torch CharStorage", DType::I8},
    {"torch ByteStorage", DType::U8},    {"torch BoolStorage", DType::BOOL},
};
constexpr size_t kMaxPickleBytes = 1 << 24;  // names and shapes only; the largest published ones have 1 MB
constexpr std::string_view kOrderedDict = "collections OrderedDict";
constexpr std::string_view kRebuildTensor = "torch._utils _rebuild_tensor_v2";
constexpr std::string_view kRebuildParameter = "torch._utils _rebuild_parameter";

const DType* storage_dtype(std::string_view global) {
  for (const auto& [name, dtype] : kStorages)
    if (name == global) return &dtype;
  return nullptr;
}

class Machine {
 public:
  Machine(std::string_view bytes, const std::string& origin) : bytes_(bytes), origin_(origin) {}

  const Value& run() {
    for (;;) {
      const auto operation = static_cast<unsigned char>(take(1)[0]);
      if (operation == '.') break;
      if (!push_constant(operation) && !build_container(operation) && !use_memo(operation))
        rebuild(operation);
    }
    return *pop();
  }

 private:
  template <typename... Parts>
  void demand(bool ok, const Parts&... message) const {
    require(ok, ErrorKind::Checkpoint, origin_, ": byte ", position_, ": ", message...);
  }

  std::string_view take(uint64_t size) {
    demand(size <= bytes_.size() - position_, "the pickle is cut short");
    const auto span = bytes_.substr(position_, size);
    position_ += size;
    return span;
  }

  template <typename T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }

  std::string_view take_line() {
    const size_t end = bytes_.find('\n', position_);
    demand(end != std::string_view::npos, "the pickle is cut short");
    const auto line = take(end - position_);
    take(1);
    return line;
  }

  Value* make(Kind kind) {
    values_.emplace_back().kind = kind;
    return &values_.back();
  }
  void push(Value* value) { stack_.push_back(value); }
  void push_number(Kind kind, int64_t number) {
    push(make(kind));
    stack_.back()->number = number;
  }
  void push_text(std::string_view text) {
    demand(find_invalid_utf8(text) == std::string_view::npos, "text that is not UTF-8");
    push(make(Kind::Text));
    stack_.back()->text = text;
  }

  Value* top() const {
    demand(stack_.size() > (marks_.empty() ? 0 : marks_.back()), "an operation finds too few values");
    return stack_.back();
  }
  Value* pop() {
    Value* value = top();
    stack_.pop_back();
    return value;
  }
  std::vector<Value*> pop_to_mark() {
    demand(!marks_.empty(), "an operation finds no mark");
    const auto begin = stack_.begin() + static_cast<ptrdiff_t>(marks_.back());
    std::vector<Value*> items(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return items;
  }

  bool push_constant(unsigned char operation) {
    switch (operation) {
      case 0x80:
        demand(number<uint8_t>() <= 5, "an unknown pickle protocol");
        return true;
      case 0x95:
        take(8);
        return true;  // a frame: only says how much to read ahead
      case 'N':
        push(make(Kind::None));
        return true;
      case 0x88:
        push_number(Kind::Bool, 1);
        return true;
      case 0x89:
        push_number(Kind::Bool, 0);
        return true;
      case 'J':
        push_number(Kind::Int, number<int32_t>());
        return true;
      case 'K':
        push_number(Kind::Int, number<uint8_t>());
        return true;
      case 'M':
        push_number(Kind::Int, number<uint16_t>());
        return true;
      case 0x8a:
        push_number(Kind::Int, take_long());
        return true;
      case 'G':
        take(8), push(make(Kind::Float));
        return true;
      case 'X':
        push_text(take(number<uint32_t>()));
        return true;
      case 0x8c:
        push_text(take(number<uint8_t>()));
        return true;
      case 0x8d:
        push_text(take(number<uint64_t>()));
        return true;
      default:
        return false;
    }
  }

  int64_t take_long() {
    const auto digits = take(number<uint8_t>());
    demand(digits.size() <= 8, "a number of ", digits.size(), " bytes");
    uint64_t value = !digits.empty() && (digits.back() & 0x80) ? ~uint64_t{0} : 0;
    std::memcpy(&value, digits.data(), digits.size());
    return static_cast<int64_t>(value);
  }

  bool build_container(unsigned char operation) {
    switch (operation) {
      case '(':
        marks_.push_back(stack_.size());
        return true;
      case ')':
        push(make(Kind::Tuple));
        return true;
      case ']':
        push(make(Kind::List));
        return true;
      case '}':
        push(make(Kind::Dict));
        return true;
      case 't':
        push_tuple(pop_to_mark());
        return true;
      case 0x85:
        push_tuple(pop_some(1));
        return true;
      case 0x86:
        push_tuple(pop_some(2));
        return true;
      case 0x87:
        push_tuple(pop_some(3));
        return true;
      case 'a':
        append(pop_some(1));
        return true;
      case 'e':
        append(pop_to_mark());
        return true;
      case 's':
        set_items(pop_some(2));
        return true;
      case 'u':
        set_items(pop_to_mark());
        return true;
      default:
        return false;
    }
  }

  std::vector<Value*> pop_some(size_t count) {
    std::vector<Value*> items(count);
    while (count > 0) items[--count] = pop();
    return items;
  }
  void push_tuple(std::vector<Value*> items) {
    push(make(Kind::Tuple));
    stack_.back()->items = std::move(items);
  }
  void append(const std::vector<Value*>& items) {
    Value* list = top();
    demand(list->kind == Kind::List, "expected a list to append to");
    list->items.insert(list->items.end(), items.begin(), items.end());
  }
  void set_items(const std::vector<Value*>& items) {
    Value* dict = top();
    demand(dict->kind == Kind::Dict && items.size() % 2 == 0, "expected a dict and pairs of key and value");
    for (size_t i = 0; i < items.size(); i += 2) dict->dict.emplace_back(items[i], items[i + 1]);
  }

  bool use_memo(unsigned char operation) {
    switch (operation) {
      case 'q':
        memo_[number<uint8_t>()] = top();
        return true;
      case 'r':
        memo_[number<uint32_t>()] = top();
        return true;
      case 0x94:
        memo_[static_cast<uint32_t>(memo_.size())] = top();
        return true;
      case 'h':
        push(recall(number<uint8_t>()));
        return true;
      case 'j':
        push(recall(number<uint32_t>()));
        return true;
      default:
        return false;
    }
  }
  Value* recall(uint32_t index) const {
    const auto found = memo_.find(index);
    demand(found != memo_.end(), "memo ", index, " was never set");
    return found->second;
  }

  void rebuild(unsigned char operation) {
    switch (operation) {
      case 'c': {
        const auto module = take_line();
        const auto name = take_line();
        return push_global(std::string(module) + " " + std::string(name));
      }
      case 0x93: {
        const auto names = pop_some(2);
        demand(names[0]->kind == Kind::Text && names[1]->kind == Kind::Text, "expected a module and a name");
        return push_global(std::string(names[0]->text) + " " + std::string(names[1]->text));
      }
      case 'Q':
        return push_storage(*pop());
      case 'R': {
        Value* arguments = pop();
        return call(*pop(), *arguments);
      }
      case 'b':  // the attributes of an OrderedDict: torch's _metadata, which holds no tensor
        pop();
        demand(top()->kind == Kind::Dict, "attributes for something other than an OrderedDict");
        return;
      default:
        demand(false, "pickle operation ", static_cast<int>(operation),
               " is not one that torch.save needs; refused");
    }
  }

  void push_global(const std::string& name) {
    std::string_view known;
    for (const auto candidate : {kOrderedDict, kRebuildTensor, kRebuildParameter})
      if (candidate == name) known = candidate;
    for (const auto& [storage, dtype] : kStorages)
      if (storage == name) known = storage;
    std::string shown = name.substr(0, 100);
    for (char& c : shown)
      if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
    demand(!known.empty(), "asks for '", shown,
           "', which a checkpoint of tensors does not need; refused, not executed");
    push(make(Kind::Global));
    stack_.back()->text = known;
  }

  // ("storage", type, key, device, number of elements)
  void push_storage(const Value& id) {
    const auto& parts = id.items;
    demand(id.kind == Kind::Tuple && parts.size() == 5 && parts[0]->text == "storage" &&
               parts[1]->kind == Kind::Global && parts[2]->kind == Kind::Text && parts[4]->kind == Kind::Int,
           "expected the description of a storage");
    const DType* dtype = storage_dtype(parts[1]->text);
    demand(dtype != nullptr && parts[4]->number >= 0, "expected the description of a storage");
    push(make(Kind::Storage));
    stack_.back()->text = parts[2]->text;
    stack_.back()->dtype = *dtype;
    stack_.back()->number = parts[4]->number;
  }

  void call(const Value& function, const Value& arguments) {
    demand(function.kind == Kind::Global && arguments.kind == Kind::Tuple,
           "expected a known function to call");
    const auto& values = arguments.items;
    if (function.text == kOrderedDict) {
      demand(values.empty(), "an OrderedDict with arguments; refused");
      return push(make(Kind::Dict));
    }
    if (function.text == kRebuildParameter) {
      demand(values.size() == 3 && values[0]->kind == Kind::Tensor, "a parameter without a tensor");
      return push(values[0]);
    }
    demand(function.text == kRebuildTensor, "'", function.text, "' cannot be called");
    demand((values.size() == 6 || values.size() == 7) && values[0]->kind == Kind::Storage &&
               values[1]->kind == Kind::Int,
           "a tensor without storage, offset, shape and strides");
    Value* value = make(Kind::Tensor);
    tensors_.push_back({values[0]->dtype, std::string(values[0]->text), values[0]->number, values[1]->number,
                        integers(*values[2]), integers(*values[3])});
    value->tensor = &tensors_.back();
    push(value);
  }

  std::vector<int64_t> integers(const Value& tuple) const {
    constexpr size_t kMaxRank = 64;  // torch's own limit
    demand(tuple.kind == Kind::Tuple && tuple.items.size() <= kMaxRank, "expected a tuple of extents");
    std::vector<int64_t> numbers;
    for (const Value* item : tuple.items) {
      demand(item->kind == Kind::Int, "expected a tuple of integers");
      numbers.push_back(item->number);
    }
    return numbers;
  }

  std::string_view bytes_;
  const std::string& origin_;
  uint64_t position_ = 0;
  std::deque<Value> values_;  // owns every value; a list may hold itself, so no counting of references
  std::deque<PickledTensor> tensors_;
  std::vector<Value*> stack_;
  std::vector<size_t> marks_;  // heights of the stack
  std::unordered_map<uint32_t, Value*> memo_;
};

}  // namespace

std::map<std::string, PickledTensor> parse_state_dict_pickle(std::string_view bytes,
                                                             const std::string& origin) {
  require(bytes.size() <= kMaxPickleBytes, ErrorKind::Checkpoint, origin, ": ", bytes.size(),
          " bytes of names, expected at most ", kMaxPickleBytes);
  Machine machine(bytes, origin);
  const Value* root = &machine.run();
  for (const auto& [key, value] : root->dict)
    if (key->kind == Kind::Text && key->text == "state_dict" && value->kind == Kind::Dict) {
      root = value;
      break;
    }
  require(root->kind == Kind::Dict, ErrorKind::Checkpoint, origin,
          ": expected a state dict, found something else");
  std::map<std::string, PickledTensor> tensors;
  for (const auto& [key, value] : root->dict) {
    require(key->kind == Kind::Text, ErrorKind::Checkpoint, origin,
            ": a state dict with keys that are not text");
    const std::string name(key->text);
    require(value->kind == Kind::Tensor, ErrorKind::Checkpoint, origin, ": entry '", name,
            "' is not a tensor");
    require(tensors.emplace(name, *value->tensor).second, ErrorKind::Checkpoint, origin, ": tensor '", name,
            "' comes twice");
  }
  return tensors;
}

}  // namespace normscope
