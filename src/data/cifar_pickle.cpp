// NumPy's array and dtype as the only objects, and what a batch and its names look like.
#include "data/cifar_pickle.h"

#include "checkpoints/pickle_machine.h"
#include "core/error.h"
#include "core/text.h"
#include "data/cifar.h"

namespace normscope {
namespace {

using Kind = PickleValue::Kind;

constexpr std::string_view kArray = "numpy ndarray", kDtype = "numpy dtype";
constexpr std::string_view kReconstruct = "numpy.core.multiarray _reconstruct";
constexpr std::string_view kNewReconstruct = "numpy._core.multiarray _reconstruct";  // since NumPy 2
// A pickled batch of 50,000 pictures has 155 MB; what is not pixels becomes values many times its size.
constexpr size_t kMaxBatchBytes = size_t{1} << 28;

bool is_text(const PickleValue& value, std::string_view text) {
  return (value.kind == Kind::Text || value.kind == Kind::Bytes) && value.text == text;
}

// _reconstruct(ndarray, (0,), 'b') and dtype('u1', 0, 1) make empty objects; their states say all.
class NumpyObjects : public PickleObjects {
 public:
  PickleValue* global(PickleValues& values, const std::string& name, const PickleBytes& place) const override {
    const std::string_view known[] = {kArray, kDtype, kReconstruct, kNewReconstruct};
    return allowed_global(values, known, name, "a CIFAR batch", place);
  }
  PickleValue* persistent(PickleValues&, const PickleValue&, const PickleBytes& place) const override {
    place.demand(false, "refers to something outside of the file; refused");
    return nullptr;
  }
  PickleValue* call(PickleValues& values, const PickleValue& function, const PickleValue& arguments,
                    const PickleBytes& place) const override {
    const auto& given = arguments.items;
    place.demand(function.kind == Kind::Global && arguments.kind == Kind::Tuple && given.size() == 3,
                 "expected an array or a dtype of three arguments");
    const bool is_dtype = function.text == kDtype;
    if (is_dtype) {
      place.demand(is_text(*given[0], "u1"), "expected an array of unsigned bytes");
    } else {
      place.demand(function.text != kArray && given[0]->kind == Kind::Global && given[0]->text == kArray,
                   "expected an array");
    }
    PickleValue* object = values.make(Kind::Object);
    object->text = is_dtype ? kDtype : kArray;
    return object;
  }
  void set_state(PickleValue& object, const PickleValue& state, const PickleBytes& place) const override {
    place.demand(object.kind == Kind::Object && state.kind == Kind::Tuple, "a state for no array");
    object.items = state.items;
  }
};

// The value of the last entry, as Python's dict has it.
const PickleValue* find(const PickleValue& dict, std::string_view key) {
  const PickleValue* found = nullptr;
  for (const auto& [name, value] : dict.dict)
    if (is_text(*name, key)) found = value;
  return found;
}

// Calls use(root) on the pickled value, with errors as those of data.
template <typename Use>
auto with_pickle(std::string_view bytes, const std::string& file, const Use& use) {
  require(bytes.size() <= kMaxBatchBytes, ErrorKind::Data, file, ": ", bytes.size(),
          " bytes; expected a CIFAR batch of at most ", kMaxBatchBytes);
  const NumpyObjects objects;
  try {
    PickleMachine machine(bytes, file, objects);
    const auto& root = machine.run();
    require(root.kind == Kind::Dict, ErrorKind::Data, file, ": expected a dict, found something else");
    return use(root);
  } catch (const Error& error) {
    throw Error(ErrorKind::Data, error.what());
  }
}

// The pixels of `data`: (version, (pictures, 3072), dtype, is Fortran's order, bytes).
std::string_view pixels_of(const PickleValue* array, int64_t count, const std::string& file) {
  const bool is_array = array != nullptr && array->kind == Kind::Object && array->text == kArray;
  require(is_array && array->items.size() == 5, ErrorKind::Data, file, ": data is no array");
  const auto& state = array->items;
  const auto& shape = *state[1];
  require(shape.kind == Kind::Tuple && shape.items.size() == 2 && shape.items[0]->kind == Kind::Int &&
              shape.items[1]->kind == Kind::Int && shape.items[0]->number == count &&
              shape.items[1]->number == kCifarPixelBytes,
          ErrorKind::Data, file, ": data is not of shape (", count, ", ", kCifarPixelBytes, "), as its labels are ",
          count);
  const bool is_bytes = state[2]->kind == Kind::Object && state[2]->text == kDtype;
  const bool is_row_major = state[3]->kind == Kind::Bool && state[3]->number == 0;
  require(is_bytes && is_row_major && state[4]->kind == Kind::Bytes, ErrorKind::Data, file,
          ": data is not a row-major array of bytes");
  require(static_cast<int64_t>(state[4]->text.size()) == count * kCifarPixelBytes, ErrorKind::Data, file, ": data has ",
          state[4]->text.size(), " bytes; expected ", count * kCifarPixelBytes);
  return state[4]->text;
}

}  // namespace

CifarPickle parse_cifar_pickle(std::string_view bytes, const std::string& file) {
  return with_pickle(bytes, file, [&](const PickleValue& root) {
    const auto* labels = find(root, "labels");
    const bool is_fine = labels == nullptr;
    if (is_fine) labels = find(root, "fine_labels");
    require(labels != nullptr && labels->kind == Kind::List, ErrorKind::Data, file, ": no list of labels");
    CifarPickle batch;
    batch.num_classes = is_fine ? 100 : 10;
    for (const auto* label : labels->items) {
      require(label->kind == Kind::Int, ErrorKind::Data, file, ": label ", batch.labels.size(), " is no number");
      batch.labels.push_back(label->number);
    }
    const auto pixels = pixels_of(find(root, "data"), static_cast<int64_t>(batch.labels.size()), file);
    batch.offset = pixels.data() - bytes.data();
    return batch;
  });
}

std::vector<std::string> parse_cifar_names(std::string_view bytes, const std::string& file, std::string_view key) {
  return with_pickle(bytes, file, [&](const PickleValue& root) {
    const auto* list = find(root, key);
    require(list != nullptr && list->kind == Kind::List, ErrorKind::Data, file, ": no list ", key);
    std::vector<std::string> names;
    for (const auto* name : list->items) {
      const bool is_name = name->kind == Kind::Text || name->kind == Kind::Bytes;
      require(is_name && find_invalid_utf8(name->text) == std::string_view::npos, ErrorKind::Data, file, ": ", key, " ",
              names.size(), " is no text");
      names.emplace_back(name->text);
    }
    return names;
  });
}

}  // namespace normscope
