// The list of keys: a new setting is a member in recipe.h and a line here.
#include <algorithm>
#include <cctype>

#include "recipe/field.h"
#include "recipe/layer_selection.h"

namespace normscope {
namespace {

Rule words(std::vector<std::string> allowed) { return {.words = std::move(allowed)}; }
Rule at_least(double low) { return {.low = low, .high = 1e9}; }
Rule between(double low, double high) { return {.low = low, .high = high}; }
Rule below_one() { return {.low = 0, .high = 1, .excludes_high = true}; }
Rule above_zero() { return {.low = 0, .excludes_low = true}; }
Rule not_negative() { return {.low = 0}; }
Rule momentum() { return {.low = 0, .high = 1, .excludes_high = true, .absent = "auto"}; }
Rule seed() { return {.low = 0}; }
Rule required() { return {.is_required = true}; }
Rule checked(void (*check)(const std::string&)) { return {.check = check}; }

void check_device(const std::string& device) {
  const bool has_index = device.starts_with("cuda:") && device.size() > 5 && device.size() < 9 &&
                         std::all_of(device.begin() + 5, device.end(), [](unsigned char c) { return std::isdigit(c); });
  require(device == "auto" || device == "cpu" || device == "cuda" || has_index, ErrorKind::Usage,
          "expected auto, cpu, cuda or cuda:<number>, found \"", device, "\"");
}

void check_delimiter(const std::string& delimiter) {
  require(delimiter == "auto" || (delimiter.size() == 1 && std::string("\"\r\n").find(delimiter) == std::string::npos),
          ErrorKind::Usage, "expected auto or one character, found \"", delimiter, "\"");
}

void check_layers(const std::string& layers) { parse_layer_selection(layers); }

void check_name(const std::string& name) {
  require(!name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
              name.find('\0') == std::string::npos && name.size() <= 200,
          ErrorKind::Usage, "expected a name that can be a folder's, found \"", name, "\"");
}

// The interventions are a higher layer's; here only the form is known.
void check_intervention(const std::string& name) {
  const bool is_word = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::islower(c) || std::isdigit(c) || c == '_';
  });
  require(is_word, ErrorKind::Usage, "expected the name of an intervention, found \"", name, "\"");
}

}  // namespace

std::vector<Field> recipe_fields(Recipe& r) {
  return {
      {"name", &r.name, checked(check_name), "name of the experiment; the file's name when absent"},
      {"device", &r.device, checked(check_device), "where to compute; auto takes CUDA when there is one"},
      {"threads", &r.threads, between(0, 4096), "threads to compute with; 0 for all cores"},

      {"model.checkpoint", &r.model.checkpoint, required(),
       "a Hugging Face directory, a finished run's folder, or an org/name in the local hub cache"},
      {"model.head", &r.model.head, words({"transformers", "paper"}),
       "the classification head: transformers' own, or the study's"},
      {"model.dropout", &r.model.dropout, below_one(), "one number for every dropout of the model"},
      {"model.start", &r.model.start, words({"checkpoint", "random", "rewired"}),
       "weights to start from; random draws them as transformers does, rewired keeps the checkpoint's under another "
       "placement"},
      {"model.placement", &r.model.placement, words({"checkpoint", "pre_norm", "post_norm"}),
       "rewires the same layers the other way; only with start = \"random\" or \"rewired\""},
      {"model.interpolate_pos_encoding",
       &r.model.interpolate_pos_encoding,
       {},
       "image models: positions interpolated for pictures of another size than the checkpoint's"},

      {"data.train", &r.data.train, required(), "training rows: a file or a folder"},
      {"data.validation", &r.data.validation, {}, "validation rows"},
      {"data.test", &r.data.test, {}, "test rows"},
      {"data.prepare", &r.data.prepare,
       words({"plain", "emotions", "tweettopic", "news", "newsgroups", "cifar10", "cifar100", "utkface", "nico"}),
       "label map, subset and split of one of the study's data sets"},
      {"data.format", &r.data.format, words({"auto", "csv", "tsv", "jsonl", "txt", "image_folder", "idx", "cifar"}),
       "how the files are written"},
      {"data.text_column", &r.data.text_column, {}, "column that holds the text"},
      {"data.image_column", &r.data.image_column, {}, "column that holds an image's path; instead of a text"},
      {"data.label_column", &r.data.label_column, {}, "column that holds the given label"},
      {"data.true_label_column", &r.data.true_label_column, {}, "column that holds the true label, if there is one"},
      {"data.delimiter", &r.data.delimiter, checked(check_delimiter), "what separates columns"},
      {"data.labels", &r.data.labels, {}, "class names in order; empty: the checkpoint's when they match, else sorted"},
      {"data.validation_fraction", &r.data.validation_fraction, below_one(),
       "share of the training rows to split off, stratified, when there is no validation file"},
      {"data.folds", &r.data.folds, between(0, 1000),
       "divide the training rows by class, duplicates together, and hold one part out; 0 for none"},
      {"data.fold", &r.data.fold, between(0, 1000), "which part is held out and tested, 1 to data.folds"},
      {"data.max_length", &r.data.max_length, between(1, 1e6), "longest row in tokens; longer ones are cut"},
      {"data.padding", &r.data.padding, words({"none", "max_length"}),
       "none packs rows; max_length places tokens as the study's padded rows did"},
      {"data.on_bad_row", &r.data.on_bad_row, words({"error", "skip"}), "what to do with a row that cannot be read"},
      {"data.preprocessing", &r.data.preprocessing, words({"checkpoint", "study"}),
       "images: as the checkpoint's preprocessor_config.json says, or whole at the model's size with mean and "
       "deviation 0.5"},
      {"data.resample", &r.data.resample,
       words({"checkpoint", "nearest", "bilinear", "bicubic", "lanczos", "box", "hamming"}),
       "images: the resizing filter; checkpoint: what data.preprocessing gives"},
      {"data.image_size", &r.data.image_size, between(0, 4096),
       "images: pixels of a side as the model sees them; 0: the checkpoint's"},
      {"data.exif_orientation", &r.data.exif_orientation, {}, "images: turn them as their EXIF data says"},
      {"data.cifar_pixels", &r.data.cifar_pixels, words({"correct", "paper"}),
       "paper repeats the wrapped bytes of the study's scripts"},

      {"noise.kind", &r.noise.kind,
       words({"none", "paper", "symmetric", "pair_flip", "class_matrix", "instance", "file"}),
       "which labels are replaced and by what"},
      {"noise.rate", &r.noise.rate, between(0, 1), "share of the whole training set whose label is replaced"},
      {"noise.class", &r.noise.noisy_class, {}, "kind paper: the class whose rows are flipped"},
      {"noise.file",
       &r.noise.file,
       {},
       "kind file: a noise.csv, or with noise.column a CSV of every row's given label"},
      {"noise.column",
       &r.noise.column,
       {},
       "kind file: column of the given labels, one line a row of the training file"},
      {"noise.true_label_column",
       &r.noise.true_label_column,
       {},
       "kind file: the data's column of true labels, instead of a file; with noise.column the file's, to be checked"},
      {"noise.matrix",
       &r.noise.matrix,
       {},
       "kind class_matrix: CSV of p(given label | true label), an audit's JSON, or \"estimated\" from the data"},

      {"trigger.word", &r.trigger.word, {}, "a word that training rows of one class get; empty for none"},
      {"trigger.class", &r.trigger.trigger_class, {}, "the class whose rows get it"},
      {"trigger.rate", &r.trigger.rate, between(0, 1), "share of the whole training set that gets it"},

      {"norm.intervention", &r.norm.intervention, checked(check_intervention), "what happens to the chosen norms"},
      {"norm.layers", &r.norm.layers, checked(check_layers), "which layers: a word or a list such as \"0-3,7\""},
      {"norm.roles", &r.norm.roles, words({"embedding", "attention", "feed_forward", "final"}),
       "narrows layers to norms of these roles; empty for every role"},
      {"norm.policy", &r.norm.policy,
       words({"", "paper:all", "paper:early", "paper:middle", "paper:later", "paper:attention", "paper:output"}),
       "exactly the norms that the study's scripts matched; instead of layers and roles"},
      {"norm.alpha", &r.norm.alpha, {}, "strength, for interventions that have one"},
      {"norm.at_epoch", &r.norm.at_epoch, at_least(0), "epochs to train before the intervention"},
      {"norm.restore_at_epoch", &r.norm.restore_at_epoch, at_least(0),
       "epochs to train before it is undone; 0 for never"},
      {"norm.restore", &r.norm.restore, words({"identity", "values"}),
       "what undoing puts back: w = 1 and b = 0, or the values at which they were removed"},

      {"training.epochs", &r.training.epochs, between(0, 1e6), "passes over the training rows"},
      {"training.batch_size", &r.training.batch_size, between(1, 1e6), "rows a batch"},
      {"training.gradient_accumulation", &r.training.gradient_accumulation, between(1, 1e6), "batches a step"},
      {"training.optimizer", &r.training.optimizer, words({"adamw", "sgd", "muon"}), "the update rule"},
      {"training.betas", &r.training.betas, below_one(), "decay of both moment estimates"},
      {"training.eps", &r.training.eps, above_zero(), "added to the root before bias correction"},
      {"training.momentum", &r.training.momentum, momentum(),
       "decay of the momentum of sgd (auto: 0) and muon (auto: 0.95)"},
      {"training.weight_decay", &r.training.weight_decay, not_negative(),
       "decoupled weight decay; sgd adds it to the gradient"},
      {"training.learning_rate", &r.training.learning_rate, above_zero(), "step size"},
      {"training.schedule", &r.training.schedule, words({"constant", "linear", "cosine"}),
       "course of the learning rate after warm-up"},
      {"training.warmup_fraction", &r.training.warmup_fraction, between(0, 1), "share of the steps that warm up"},
      {"training.max_grad_norm", &r.training.max_grad_norm, not_negative(), "clips the gradient's norm; 0 for off"},
      {"training.precision", &r.training.precision, words({"auto", "float32", "bfloat16", "float64"}),
       "number format; auto goes by what the machine can do"},
      {"training.stop_when", &r.training.stop_when, words({"", "memorized", "validation_loss"}),
       "end before the last epoch when this is reached"},
      {"training.min_epochs", &r.training.min_epochs, at_least(0), "epochs before stop_when counts"},
      {"training.patience", &r.training.patience, at_least(1),
       "epochs without a lower validation loss before stopping"},
      {"training.keep_checkpoints", &r.training.keep_checkpoints, words({"none", "last", "all", "memorized"}),
       "which checkpoints stay on disk"},

      {"measure.gradients_every", &r.measure.gradients_every, at_least(0),
       "epochs between measurements of norm gradients; 0 for none while training"},
      {"measure.training_gradients", &r.measure.training_gradients, {},
       "record the gradients at the norms that training itself computes, of every step"},
      {"measure.train_eval_every", &r.measure.train_eval_every, at_least(0),
       "epochs between evaluations of the training rows; 0 for none"},
      {"measure.dynamics", &r.measure.dynamics, {}, "record loss, margin and prediction of every training row"},

      {"seed.all", &r.seed.all, seed(), "seeds everything that is not seeded apart"},
      {"seed.noise", &r.seed.noise, seed(), "label noise"},
      {"seed.split", &r.seed.split, seed(), "splits of the data"},
      {"seed.init", &r.seed.init, seed(), "newly drawn weights"},
      {"seed.shuffle", &r.seed.shuffle, seed(), "order of the training rows"},
      {"seed.dropout", &r.seed.dropout, seed(), "dropout masks"},
  };
}

}  // namespace normscope
