// Operations of the stack machine: constants, texts, containers, the memo, and objects by their allow-list.
#include "checkpoints/pickle_machine.h"

#include "core/text.h"

namespace normscope {

using Value = PickleValue;

PickleValue* allowed_global(PickleValues& values, std::span<const std::string_view> known, const std::string& name,
                            const char* needer, const PickleBytes& place) {
  std::string_view found;
  for (const auto candidate : known)
    if (candidate == name) found = candidate;
  constexpr size_t kMaxShown = 100;
  std::string shown = name.substr(0, kMaxShown);
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
  place.demand(!found.empty(), "asks for '", shown, "', which ", needer, " does not need; refused, not executed");
  PickleValue* value = values.make(PickleValue::Kind::Global);
  value->text = found;
  return value;
}

const Value& PickleMachine::run() {
  for (;;) {
    const auto code = bytes_.number<uint8_t>();
    if (code == '.') return *pop();
    if (!push_constant(code) && !push_text(code) && !push_bytes(code) && !push_container(code) &&
        !fill_container(code) && !use_memo(code))
      rebuild(code);
  }
}

// Values below the last mark belong to somebody else.
Value* PickleMachine::top() const {
  bytes_.demand(stack_.size() > (marks_.empty() ? 0 : marks_.back()), "an operation finds too few values");
  return stack_.back();
}

Value* PickleMachine::pop() {
  Value* value = top();
  stack_.pop_back();
  return value;
}

std::vector<Value*> PickleMachine::pop_some(size_t count) {
  std::vector<Value*> items(count);
  while (count > 0) items[--count] = pop();
  return items;
}

std::vector<Value*> PickleMachine::pop_to_mark() {
  bytes_.demand(!marks_.empty(), "an operation finds no mark");
  const auto begin = stack_.begin() + static_cast<ptrdiff_t>(marks_.back());
  std::vector<Value*> items(begin, stack_.end());
  stack_.erase(begin, stack_.end());
  marks_.pop_back();
  return items;
}

bool PickleMachine::push_number(PickleValue::Kind kind, int64_t number) {
  push(values_.make(kind));
  stack_.back()->number = number;
  return true;
}

bool PickleMachine::push_constant(uint8_t code) {
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

bool PickleMachine::push_integer(uint8_t code) {
  if (code == 0x88) return push_number(Kind::Bool, 1);
  if (code == 0x89) return push_number(Kind::Bool, 0);
  if (code == 'J') return push_number(Kind::Int, bytes_.number<int32_t>());
  if (code == 'K') return push_number(Kind::Int, bytes_.number<uint8_t>());
  if (code == 'M') return push_number(Kind::Int, bytes_.number<uint16_t>());
  if (code == 0x8a) return push_number(Kind::Int, bytes_.take_long());
  return false;
}

bool PickleMachine::push_text(uint8_t code) {
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

// Bytes, among them Python 2's texts, which have no encoding.
bool PickleMachine::push_bytes(uint8_t code) {
  uint64_t length = 0;
  if (code == 'U' || code == 'C')
    length = bytes_.number<uint8_t>();
  else if (code == 'T' || code == 'B')
    length = bytes_.number<uint32_t>();
  else if (code == 0x8e)
    length = bytes_.number<uint64_t>();
  else
    return false;
  const auto text = bytes_.take(length);
  push(values_.make(Kind::Bytes));
  stack_.back()->text = text;
  return true;
}

bool PickleMachine::push_container(uint8_t code) {
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

void PickleMachine::push_tuple(std::vector<Value*> items) {
  push(values_.make(Kind::Tuple));
  stack_.back()->items = std::move(items);
}

bool PickleMachine::fill_container(uint8_t code) {
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

void PickleMachine::append(const std::vector<Value*>& items) {
  Value* list = top();
  bytes_.demand(list->kind == Kind::List, "expected a list to append to");
  list->items.insert(list->items.end(), items.begin(), items.end());
}

void PickleMachine::set_items(const std::vector<Value*>& items) {
  Value* dict = top();
  bytes_.demand(dict->kind == Kind::Dict && items.size() % 2 == 0, "expected a dict and pairs of key and value");
  for (size_t i = 0; i < items.size(); i += 2) dict->dict.emplace_back(items[i], items[i + 1]);
}

bool PickleMachine::use_memo(uint8_t code) {
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

Value* PickleMachine::recall(uint32_t index) const {
  const auto found = memo_.find(index);
  bytes_.demand(found != memo_.end(), "memo ", index, " was never set");
  return found->second;
}

void PickleMachine::rebuild(uint8_t code) {
  if (code == 'c') {
    const std::string module(bytes_.take_line());
    push(objects_.global(values_, module + " " + std::string(bytes_.take_line()), bytes_));
  } else if (code == 0x93) {
    const auto names = pop_some(2);
    bytes_.demand(names[0]->kind == Kind::Text && names[1]->kind == Kind::Text, "expected a module and a name");
    push(objects_.global(values_, std::string(names[0]->text) + " " + std::string(names[1]->text), bytes_));
  } else if (code == 'Q') {
    push(objects_.persistent(values_, *pop(), bytes_));
  } else if (code == 'R') {
    const Value* arguments = pop();
    push(objects_.call(values_, *pop(), *arguments, bytes_));
  } else if (code == 'b') {
    const Value* state = pop();
    objects_.set_state(*top(), *state, bytes_);
  } else {
    bytes_.demand(false, "pickle operation ", static_cast<int>(code), " is not one that data needs; refused");
  }
}

}  // namespace normscope
