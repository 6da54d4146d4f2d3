#include "data/transition_matrix.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/error.h"
#include "core/number.h"
#include "core/text.h"
#include "data/class_order.h"
#include "data/csv_reader.h"
#include "data/source_rows.h"

namespace normscope {
namespace {

constexpr double kSumTolerance = 0.01;

void normalise(std::vector<double>& row, const std::string& name, const std::string& where) {
  for (const double p : row)
    require(p >= 0 && p <= 1, ErrorKind::Data, where, "\"", name, "\" has ", p, "; expected probabilities from 0 to 1");
  const double sum = std::accumulate(row.begin(), row.end(), 0.0);
  require(std::abs(sum - 1) <= kSumTolerance, ErrorKind::Data, where, "the probabilities of true label \"", name,
          "\" sum to ", sum, "; expected 1");
  for (double& p : row) p /= sum;
}

int class_at(std::span<const std::string> classes, const std::string& name, const std::string& where) {
  const int index = find_class(classes, name);
  if (index < 0) throw Error(ErrorKind::Data, where + unknown_class(classes, name));
  return index;
}

double number(const std::string& field, const std::string& where) {
  const auto value = parse_number<double>(field);
  require(value.has_value(), ErrorKind::Data, where, "\"", field, "\" is no number");
  return *value;
}

TransitionMatrix start_matrix(size_t num_classes) {
  return {num_classes, std::vector<double>(num_classes, std::numeric_limits<double>::quiet_NaN())};
}

void require_complete(const TransitionMatrix& matrix, std::span<const std::string> classes, const std::string& file) {
  for (size_t t = 0; t < matrix.size(); ++t)
    for (size_t g = 0; g < matrix.size(); ++g)
      require(!std::isnan(matrix[t][g]), ErrorKind::Data, file, ": no probability for true label \"", classes[t],
              "\" and given label \"", classes[g], "\"");
}

TransitionMatrix parse_csv(std::string_view bytes, const std::string& file, std::span<const std::string> classes) {
  CsvReader reader(without_byte_order_mark(bytes, file), ',', file);
  CsvRecord header, record;
  require(reader.next(header) && header.problem.empty() && !header.fields.empty() && header.fields[0] == "true_label",
          ErrorKind::Data, file, ":1: expected the columns true_label, ", join(classes, ", "));
  std::vector<int> columns;
  for (size_t i = 1; i < header.fields.size(); ++i)
    columns.push_back(class_at(classes, header.fields[i], file + ":1: "));
  auto matrix = start_matrix(classes.size());
  while (reader.next(record)) {
    const std::string where = file + ":" + std::to_string(record.line) + ": ";
    require(record.problem.empty(), ErrorKind::Data, where, record.problem);
    require(record.fields.size() == header.fields.size(), ErrorKind::Data, where, "expected ", header.fields.size(),
            " fields as in the header, found ", record.fields.size());
    auto& row = matrix[static_cast<size_t>(class_at(classes, record.fields[0], where))];
    for (size_t i = 0; i < columns.size(); ++i)
      row[static_cast<size_t>(columns[i])] = number(record.fields[i + 1], where);
    if (std::ranges::none_of(row, [](double p) { return std::isnan(p); })) normalise(row, record.fields[0], where);
  }
  require_complete(matrix, classes, file);
  return matrix;
}

// An audit's matrix is [given][true] in the order of its own classes.
TransitionMatrix parse_json(std::string_view bytes, const std::string& file, std::span<const std::string> classes) {
  const std::string where = file + ": ";
  try {
    const auto json = nlohmann::json::parse(bytes);
    const auto names = json.at("classes").get<std::vector<std::string>>();
    const auto rates = json.at("noise_matrix").get<std::vector<std::vector<double>>>();
    require(rates.size() == names.size(), ErrorKind::Data, where, "noise_matrix has ", rates.size(), " rows, classes ",
            names.size());
    auto matrix = start_matrix(classes.size());
    for (size_t g = 0; g < names.size(); ++g) {
      require(rates[g].size() == names.size(), ErrorKind::Data, where, "noise_matrix row ", g, " has ", rates[g].size(),
              " numbers, expected ", names.size());
      for (size_t t = 0; t < names.size(); ++t)
        matrix[static_cast<size_t>(class_at(classes, names[t], where))]
              [static_cast<size_t>(class_at(classes, names[g], where))] = rates[g][t];
    }
    require_complete(matrix, classes, file);
    for (size_t t = 0; t < matrix.size(); ++t) normalise(matrix[t], classes[t], where);
    return matrix;
  } catch (const nlohmann::json::exception& failure) {
    throw Error(ErrorKind::Data,
                where + "expected the JSON of normscope audit with classes and noise_matrix (" + failure.what() + ")");
  }
}

// `total` in whole parts as near to `shares` as can be; shares sum to about `total`.
std::vector<int64_t> whole_parts(const std::vector<double>& shares, int64_t total) {
  std::vector<int64_t> parts;
  std::vector<size_t> order;
  for (const double share : shares) {
    parts.push_back(static_cast<int64_t>(std::floor(share + 1e-9)));  // a hair under a whole number is that number
    order.push_back(order.size());
    total -= parts.back();
  }
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](size_t i) { return shares[i] - static_cast<double>(parts[i]); });
  for (size_t i = 0; total > 0 && i < order.size(); ++i, --total) ++parts[order[i]];
  return parts;
}

}  // namespace

TransitionMatrix parse_transition_matrix(std::string_view bytes, const std::string& file,
                                         std::span<const std::string> classes) {
  const size_t start = bytes.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && bytes[start] == '{' ? parse_json(bytes, file, classes)
                                                                : parse_csv(bytes, file, classes);
}

TransitionMatrix estimate_transitions(std::span<const int> given_labels, std::span<const int> true_labels,
                                      size_t num_classes) {
  TransitionMatrix matrix(num_classes, std::vector<double>(num_classes));
  for (size_t i = 0; i < given_labels.size(); ++i)
    ++matrix[static_cast<size_t>(true_labels[i])][static_cast<size_t>(given_labels[i])];
  for (size_t t = 0; t < num_classes; ++t) {
    const double sum = std::accumulate(matrix[t].begin(), matrix[t].end(), 0.0);
    if (sum == 0) matrix[t][t] = 1;
    for (double& p : matrix[t]) p /= std::max(sum, 1.0);
  }
  return matrix;
}

std::vector<std::vector<int64_t>> flips_of(const TransitionMatrix& matrix, std::span<const int64_t> class_counts,
                                           int64_t wanted, std::span<const std::string> classes) {
  const size_t num_classes = matrix.size();
  std::vector<std::vector<int64_t>> flips(num_classes);
  if (wanted < 0) {
    for (size_t t = 0; t < num_classes; ++t) {
      auto shares = matrix[t];
      for (double& share : shares) share *= static_cast<double>(class_counts[t]);
      flips[t] = whole_parts(shares, class_counts[t]);
      flips[t][t] = 0;
    }
    return flips;
  }
  std::vector<double> shares;
  for (size_t t = 0; t < num_classes; ++t)
    for (size_t g = 0; g < num_classes; ++g)
      shares.push_back(t == g ? 0 : matrix[t][g] * static_cast<double>(class_counts[t]));
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  require(sum > 0, ErrorKind::Usage, "noise.matrix: keeps the label of every row");
  for (double& share : shares) share *= static_cast<double>(wanted) / sum;
  const auto parts = whole_parts(shares, wanted);
  for (size_t t = 0; t < num_classes; ++t) {
    const auto begin = parts.begin() + static_cast<std::ptrdiff_t>(t * num_classes);
    flips[t].assign(begin, begin + static_cast<std::ptrdiff_t>(num_classes));
    const auto count = std::accumulate(flips[t].begin(), flips[t].end(), int64_t{0});
    require(count <= class_counts[t], ErrorKind::Usage, "noise.rate asks for ", wanted, " rows, of which ", count,
            " by noise.matrix are of class \"", classes[t], "\", which has ", class_counts[t]);
  }
  return flips;
}

}  // namespace normscope
