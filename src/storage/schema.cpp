// The tables and views of normscope.db; docs/results.md describes them for those who query them.
#include "storage/schema.h"

#include <string>

#include "storage/epoch_metrics.h"

namespace normscope {
namespace {

constexpr int64_t kApplicationId = 0x6e73636f;  // "nsco", at offset 68 of the file

constexpr const char* kTables = R"sql(
CREATE TABLE study (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  recipe TEXT NOT NULL, threads INTEGER NOT NULL, device TEXT NOT NULL, precision TEXT NOT NULL,
  created TEXT NOT NULL, normscope_version TEXT NOT NULL, machine TEXT NOT NULL, git_state TEXT NOT NULL
);
CREATE TABLE runs (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
  epoch INTEGER NOT NULL, epochs INTEGER NOT NULL, seed INTEGER NOT NULL,
  model TEXT NOT NULL, placement TEXT NOT NULL, norm_selection TEXT NOT NULL,
  recipe TEXT NOT NULL, error TEXT NOT NULL, started TEXT, finished TEXT, facts TEXT NOT NULL, dropped TEXT
);
CREATE TABLE readings (
  run INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
  epoch INTEGER NOT NULL, split TEXT NOT NULL, metric TEXT NOT NULL,
  layer INTEGER, role TEXT, value REAL NOT NULL
);
CREATE UNIQUE INDEX one_reading ON readings (run, epoch, metric, split, ifnull(layer, -1), ifnull(role, ''));
CREATE TABLE noisy_rows (
  run INTEGER NOT NULL REFERENCES runs(number) ON DELETE CASCADE,
  row INTEGER NOT NULL, position INTEGER NOT NULL, source_row INTEGER NOT NULL,
  given_label TEXT NOT NULL, true_label TEXT NOT NULL, excerpt TEXT NOT NULL,
  PRIMARY KEY (run, row)
) WITHOUT ROWID;
CREATE TABLE noisy_predictions (
  run INTEGER NOT NULL, epoch INTEGER NOT NULL, row INTEGER NOT NULL, predicted_label TEXT NOT NULL,
  PRIMARY KEY (run, epoch, row),
  FOREIGN KEY (run, row) REFERENCES noisy_rows(run, row) ON DELETE CASCADE
) WITHOUT ROWID;
)sql";

// Runs that the study's recipe no longer has are in no view.
constexpr const char* kViews = R"sql(
CREATE VIEW noisy_outcomes AS
SELECT runs.id AS run, noisy_predictions.epoch, row, source_row, given_label, true_label, predicted_label,
       CASE predicted_label WHEN given_label THEN 'memorized' WHEN true_label THEN 'recovered' ELSE 'other' END
         AS outcome,
       excerpt
FROM noisy_predictions JOIN noisy_rows USING (run, row) JOIN runs ON runs.number = run WHERE runs.dropped IS NULL;
CREATE VIEW norm_readings AS
SELECT runs.id AS run, runs.norm_selection, runs.seed, readings.epoch, split, metric, layer, role, value
FROM readings JOIN runs ON runs.number = readings.run WHERE (layer IS NOT NULL OR role IS NOT NULL) AND runs.dropped IS NULL;
)sql";

std::string metrics_view() {
  std::string sql =
      "CREATE VIEW metrics AS SELECT runs.id AS run, runs.name, runs.model, runs.placement, "
      "runs.norm_selection, runs.seed, readings.epoch";
  for (const auto& field : kMetricFields) {
    sql += ",\n max(value) FILTER (WHERE split = '" + std::string(field.split) + "' AND metric = '" +
           std::string(field.metric) + "') AS " + std::string(field.name);
  }
  return sql +
         "\nFROM readings JOIN runs ON runs.number = readings.run "
         "WHERE layer IS NULL AND role IS NULL AND runs.dropped IS NULL GROUP BY runs.number, readings.epoch;\n"
         "CREATE VIEW final_metrics AS SELECT metrics.* FROM metrics JOIN runs ON runs.id = metrics.run "
         "WHERE metrics.epoch = runs.epoch;\n";
}

void create_views(Database& database) {
  database.execute(kViews);
  database.execute(metrics_view());
}

// Version 1 could not drop runs.
void add_what_older_versions_lack(Database& database) {
  if (schema_version(database) >= kSchemaVersion) return;
  database.in_transaction([&] {
    if (schema_version(database) >= kSchemaVersion) return;  // another process was first
    for (const char* view : {"final_metrics", "metrics", "norm_readings", "noisy_outcomes"})
      database.execute(std::string("DROP VIEW ") + view);
    database.execute("ALTER TABLE runs ADD COLUMN dropped TEXT");
    create_views(database);
    database.execute("PRAGMA user_version = " + std::to_string(kSchemaVersion));
  });
}

}  // namespace

int64_t schema_version(const Database& database) {
  return database.guarded([&] { return database.number("PRAGMA user_version"); });
}

void create_schema(Database& database) {
  const auto is_empty = [&] {
    return database.number("PRAGMA application_id") == 0 && database.number("PRAGMA user_version") == 0 &&
           database.number("SELECT count(*) FROM sqlite_master") == 0;
  };
  if (!database.guarded(is_empty)) {
    check_schema(database);
    return add_what_older_versions_lack(database);
  }
  database.in_transaction([&] {
    if (!is_empty()) return;  // another process was first
    database.execute(kTables);
    create_views(database);
    database.execute("PRAGMA application_id = " + std::to_string(kApplicationId));
    database.execute("PRAGMA user_version = " + std::to_string(kSchemaVersion));
  });
  check_schema(database);
}

void check_schema(const Database& database) {
  const auto id = database.guarded([&] { return database.number("PRAGMA application_id"); });
  require(id == kApplicationId, ErrorKind::Data, database.path().string(),
          ": expected a normscope database, found a database of another program");
  const auto version = schema_version(database);
  require(version <= kSchemaVersion, ErrorKind::Data, database.path().string(), ": written by a newer normscope (",
          "schema ", version, ", this one reads up to ", kSchemaVersion, ")");
}

}  // namespace normscope
