// What was read after each epoch, in the database: metrics, readings of norms, predictions of noisy rows.
#include <cmath>
#include <unordered_map>

#include "storage/database.h"
#include "storage/run_store.h"

namespace normscope {
namespace {

void forget_from(const Database& database, int64_t run, int64_t epoch) {
  for (const char* table : {"readings", "noisy_predictions"}) {
    auto erase = database.statement(std::string("DELETE FROM ") + table + " WHERE run = ? AND epoch >= ?");
    erase.bind(1, run);
    erase.bind(2, epoch);
    erase.exec();
  }
}

void insert_readings(const Database& database, int64_t run, const EpochMetrics& metrics,
                     std::span<const Reading> readings) {
  auto insert = database.statement("INSERT INTO readings VALUES (?, ?, ?, ?, ?, ?, ?)");
  const auto add = [&](std::string_view split, std::string_view metric, const Reading& reading) {
    if (std::isnan(reading.value)) return;
    insert.reset();
    insert.clearBindings();
    insert.bind(1, run);
    insert.bind(2, metrics.epoch);
    insert.bind(3, std::string(split));
    insert.bind(4, std::string(metric));
    if (reading.layer) insert.bind(5, *reading.layer);
    if (reading.role) insert.bind(6, *reading.role);
    insert.bind(7, reading.value);
    insert.exec();
  };
  for (const auto& field : kMetricFields) {
    Reading reading;
    reading.value = metrics.*field.member;
    add(field.split, field.metric, reading);
  }
  for (const auto& reading : readings) add(reading.split, reading.metric, reading);
}

void insert_predictions(const Database& database, int64_t run, int64_t epoch,
                        std::span<const NoisyPrediction> predictions) {
  auto insert = database.statement("INSERT INTO noisy_predictions VALUES (?, ?, ?, ?)");
  for (const auto& prediction : predictions) {
    insert.reset();
    insert.bind(1, run);
    insert.bind(2, epoch);
    insert.bind(3, prediction.row);
    insert.bind(4, prediction.predicted_label);
    insert.exec();
  }
}

// The column of metrics.csv that a reading without layer and role belongs to, or none.
double* find_column(EpochMetrics& metrics, const std::string& split, const std::string& metric) {
  for (const auto& field : kMetricFields)
    if (field.split == split && field.metric == metric) return &(metrics.*field.member);
  return nullptr;
}

}  // namespace

void RunStore::set_noisy_rows(const std::string& id, std::span<const StoredNoisyRow> rows) {
  const int64_t run = run_number(id);
  database_->in_transaction([&] {
    auto mark = database_->statement("UPDATE noisy_rows SET position = -1 WHERE run = ?");
    mark.bind(1, run);
    mark.exec();
    auto insert = database_->statement(
        "INSERT INTO noisy_rows VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run, row) DO UPDATE SET position = "
        "excluded.position, source_row = excluded.source_row, given_label = excluded.given_label, "
        "true_label = excluded.true_label, excerpt = excluded.excerpt");
    int64_t position = 0;
    for (const auto& row : rows) {
      insert.reset();
      insert.bind(1, run);
      insert.bind(2, row.row);
      insert.bind(3, position++);
      insert.bind(4, row.source_row);
      insert.bind(5, row.given_label);
      insert.bind(6, row.true_label);
      insert.bind(7, row.excerpt);
      insert.exec();
    }
    auto erase = database_->statement("DELETE FROM noisy_rows WHERE run = ? AND position = -1");
    erase.bind(1, run);
    erase.exec();
  });
}

void RunStore::add_epoch(const std::string& id, const EpochMetrics& metrics, std::span<const Reading> readings,
                         std::span<const NoisyPrediction> predictions) {
  const int64_t run = run_number(id);
  database_->in_transaction([&] {
    forget_from(*database_, run, metrics.epoch);
    insert_readings(*database_, run, metrics, readings);
    insert_predictions(*database_, run, metrics.epoch, predictions);
    auto update = database_->statement("UPDATE runs SET epoch = ? WHERE number = ?");
    update.bind(1, metrics.epoch);
    update.bind(2, run);
    update.exec();
  });
}

std::vector<EpochMetrics> RunStore::metrics(const std::string& id) const {
  const int64_t run = run_number(id);
  return database_->guarded([&] {
    auto select = database_->statement(
        "SELECT epoch, split, metric, value FROM readings WHERE run = ? AND layer IS NULL AND role IS NULL "
        "ORDER BY epoch");
    select.bind(1, run);
    std::vector<EpochMetrics> rows;
    while (select.executeStep()) {
      const int64_t epoch = select.getColumn(0).getInt64();
      if (rows.empty() || rows.back().epoch != epoch) rows.emplace_back().epoch = epoch;
      double* column = find_column(rows.back(), select.getColumn(1).getString(), select.getColumn(2).getString());
      if (column) *column = select.getColumn(3).getDouble();
    }
    return rows;
  });
}

std::vector<Reading> RunStore::norm_readings(const std::string& id) const {
  const int64_t run = run_number(id);
  return database_->guarded([&] {
    auto select = database_->statement(
        "SELECT epoch, split, metric, layer, role, value FROM readings WHERE run = ? "
        "ORDER BY epoch, metric, split, role, layer");
    select.bind(1, run);
    std::vector<Reading> readings;
    EpochMetrics columns;
    while (select.executeStep()) {
      Reading reading;
      reading.epoch = select.getColumn(0).getInt64();
      reading.split = select.getColumn(1).getString();
      reading.metric = select.getColumn(2).getString();
      if (!select.getColumn(3).isNull()) reading.layer = select.getColumn(3).getInt64();
      if (!select.getColumn(4).isNull()) reading.role = select.getColumn(4).getString();
      reading.value = select.getColumn(5).getDouble();
      if (reading.layer || reading.role || !find_column(columns, reading.split, reading.metric))
        readings.push_back(std::move(reading));
    }
    return readings;
  });
}

std::vector<StoredNoisyRow> RunStore::noisy_rows(const std::string& id) const {
  const int64_t run = run_number(id);
  return database_->guarded([&] {
    auto select = database_->statement(
        "SELECT row, source_row, given_label, true_label, excerpt FROM noisy_rows WHERE run = ? ORDER BY "
        "position");
    select.bind(1, run);
    std::vector<StoredNoisyRow> rows;
    while (select.executeStep()) {
      rows.push_back({select.getColumn(0).getInt64(), select.getColumn(1).getInt64(), select.getColumn(2).getString(),
                      select.getColumn(3).getString(), select.getColumn(4).getString()});
    }
    return rows;
  });
}

std::vector<RunStore::Predictions> RunStore::noisy_predictions(const std::string& id) const {
  const auto rows = noisy_rows(id);
  std::unordered_map<int64_t, size_t> positions;
  for (size_t i = 0; i < rows.size(); ++i) positions[rows[i].row] = i;
  const int64_t run = run_number(id);
  return database_->guarded([&] {
    auto select =
        database_->statement("SELECT epoch, row, predicted_label FROM noisy_predictions WHERE run = ? ORDER BY epoch");
    select.bind(1, run);
    std::vector<Predictions> epochs;
    while (select.executeStep()) {
      const int64_t epoch = select.getColumn(0).getInt64();
      if (epochs.empty() || epochs.back().epoch != epoch)
        epochs.push_back({epoch, std::vector<std::string>(rows.size())});
      epochs.back().labels[positions.at(select.getColumn(1).getInt64())] = select.getColumn(2).getString();
    }
    return epochs;
  });
}

}  // namespace normscope
