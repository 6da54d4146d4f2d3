// The study and its runs in the database.
#include "storage/run_store.h"

#include "core/text.h"
#include "storage/database.h"
#include "storage/schema.h"

namespace normscope {
namespace {

constexpr const char* kNow = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";
constexpr const char* kStates[] = {"waiting", "running", "done", "failed"};
constexpr const char* kRunColumns =
    "number, id, name, state, epoch, epochs, seed, model, placement, norm_selection, recipe, error, "
    "ifnull(started, ''), ifnull(finished, ''), facts, ";

RunState parse_state(const std::string& text) {
  for (int i = 0; i < 4; ++i)
    if (text == kStates[i]) return static_cast<RunState>(i);
  throw Error(ErrorKind::Data, "expected a run's state, found '" + text + "'");
}

RunFacts parse_facts(const std::string& text, const std::string& run, const Database& database) {
  try {
    return run_facts_from_json(nlohmann::json::parse(text));
  } catch (const nlohmann::json::exception& failure) {
    throw Error(ErrorKind::Data,
                database.path().string() + ": run " + run + ": its facts cannot be read (" + failure.what() + ")");
  }
}

Run read_run(SQLite::Statement& row, const Database& database) {
  Run run;
  int i = 0;
  const auto text = [&] { return row.getColumn(i++).getString(); };
  const auto number = [&] { return row.getColumn(i++).getInt64(); };
  run.number = number();
  run.id = text();
  run.name = text();
  run.state = parse_state(text());
  run.epoch = number();
  run.epochs = number();
  run.seed = number();
  run.model = text();
  run.placement = text();
  run.norm_selection = text();
  run.recipe = text();
  run.error = text();
  run.started = text();
  run.finished = text();
  run.facts = parse_facts(text(), run.id, database);
  run.dropped = text();
  return run;
}

// A file of version 1 that is only read keeps its tables.
bool can_drop(const Database& database) { return schema_version(database) >= 2; }

std::vector<Run> select_runs(const Database& database, const std::string& condition, const std::string& value = "") {
  return database.guarded([&] {
    const char* dropped = can_drop(database) ? "ifnull(dropped, '')" : "''";
    auto select = database.statement(std::string("SELECT ") + kRunColumns + dropped + " FROM runs " + condition);
    if (!value.empty()) select.bind(1, value);
    std::vector<Run> runs;
    while (select.executeStep()) runs.push_back(read_run(select, database));
    return runs;
  });
}

}  // namespace

const char* to_text(RunState state) { return kStates[static_cast<int>(state)]; }

RunStore::RunStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}
RunStore::~RunStore() = default;
RunStore::RunStore(RunStore&&) noexcept = default;

std::filesystem::path RunStore::folder() const { return database_->path().parent_path(); }

RunStore RunStore::open(const std::filesystem::path& path, int busy_timeout_ms) {
  auto database = std::make_unique<Database>(path, Database::Access::Write, busy_timeout_ms);
  create_schema(*database);
  return RunStore(std::move(database));
}

RunStore RunStore::open_read_only(const std::filesystem::path& path, int busy_timeout_ms) {
  auto database = std::make_unique<Database>(path, Database::Access::Read, busy_timeout_ms);
  check_schema(*database);
  return RunStore(std::move(database));
}

Study RunStore::create_study(const Study& study) {
  database_->guarded([&] {
    auto insert =
        database_->statement(std::string("INSERT OR IGNORE INTO study VALUES (1, ?, ?, ?, ?, ifnull(nullif(?, ''), ") +
                             kNow + "), ?, ?, ?)");
    insert.bind(1, study.recipe);
    insert.bind(2, study.threads);
    insert.bind(3, study.device);
    insert.bind(4, study.precision);
    insert.bind(5, study.created);
    insert.bind(6, study.normscope_version);
    insert.bind(7, study.machine);
    insert.bind(8, study.git_state);
    insert.exec();
  });
  return *find_study();
}

std::optional<Study> RunStore::find_study() const {
  return database_->guarded([&]() -> std::optional<Study> {
    auto select = database_->statement(
        "SELECT recipe, threads, device, precision, created, normscope_version, machine, git_state FROM "
        "study");
    if (!select.executeStep()) return std::nullopt;
    const auto text = [&](int i) { return select.getColumn(i).getString(); };
    return Study{text(0), select.getColumn(1).getInt64(), text(2), text(3), text(4), text(5), text(6), text(7)};
  });
}

void RunStore::create_run(const Run& run) {
  require(!find_run(run.id), ErrorKind::Usage, database_->path().string(), ": run ", run.id, " exists already");
  database_->guarded([&] {
    auto insert = database_->statement(
        "INSERT INTO runs (id, name, state, epoch, epochs, seed, model, placement, norm_selection, recipe, "
        "error, started, finished, facts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''), nullif(?, "
        "''), "
        "?)");
    int i = 0;
    for (const auto& text : {run.id, run.name, std::string(to_text(run.state))}) insert.bind(++i, text);
    for (const int64_t number : {run.epoch, run.epochs, run.seed}) insert.bind(++i, number);
    for (const auto& text : {run.model, run.placement, run.norm_selection, run.recipe, run.error, run.started,
                             run.finished, to_json(run.facts).dump()})
      insert.bind(++i, text);
    insert.exec();
  });
}

std::optional<Run> RunStore::find_run(const std::string& id) const {
  auto runs = select_runs(*database_, "WHERE id = ?", id);
  return runs.empty() ? std::nullopt : std::optional(std::move(runs[0]));
}

Run RunStore::run(const std::string& id) const {
  auto found = find_run(id);
  if (found) return *found;
  std::vector<std::string> known;
  for (const auto& run : runs()) known.push_back(run.id);
  throw Error(ErrorKind::Usage,
              database_->path().string() + ": expected one of the runs " + join(known, ", ") + ", found '" + id + "'");
}

std::vector<Run> RunStore::runs() const {
  return select_runs(*database_, can_drop(*database_) ? "WHERE dropped IS NULL ORDER BY number" : "ORDER BY number");
}

std::vector<Run> RunStore::dropped_runs() const {
  if (!can_drop(*database_)) return {};
  return select_runs(*database_, "WHERE dropped IS NOT NULL ORDER BY number");
}

void RunStore::change_study(const std::string& recipe, std::span<const Place> places, std::span<const Run> added) {
  database_->in_transaction([&] {
    auto update_study = database_->statement("UPDATE study SET recipe = ?");
    update_study.bind(1, recipe);
    update_study.exec();
    // Runs may take each other's ids, so that all give up theirs first.
    database_->execute("UPDATE runs SET id = '/' || number");
    auto update = database_->statement(std::string("UPDATE runs SET id = ?1, name = ?1, dropped = CASE WHEN ?2 THEN ") +
                                       "ifnull(dropped, " + kNow + ") END WHERE number = ?3");
    for (const auto& place : places) {
      update.reset();
      update.bind(1, place.id);
      update.bind(2, place.is_dropped ? 1 : 0);
      update.bind(3, place.number);
      update.exec();
    }
    for (const auto& run : added) create_run(run);
  });
}

void RunStore::set_state(const std::string& id, RunState state, const std::string& error) {
  const int64_t number = run_number(id);
  const bool has_ended = state == RunState::Done || state == RunState::Failed;
  database_->guarded([&] {
    auto update = database_->statement(
        std::string("UPDATE runs SET state = ?, error = ?, started = CASE WHEN ? THEN ifnull(started, ") + kNow +
        ") ELSE started END, finished = CASE WHEN ? THEN " + kNow + " END WHERE number = ?");
    update.bind(1, to_text(state));
    update.bind(2, error);
    update.bind(3, state != RunState::Waiting ? 1 : 0);
    update.bind(4, has_ended ? 1 : 0);
    update.bind(5, number);
    update.exec();
  });
}

void RunStore::describe_run(const std::string& id, const std::string& model, const std::string& placement) {
  const int64_t number = run_number(id);
  database_->guarded([&] {
    auto update = database_->statement("UPDATE runs SET model = ?, placement = ? WHERE number = ?");
    update.bind(1, model);
    update.bind(2, placement);
    update.bind(3, number);
    update.exec();
  });
}

void RunStore::set_facts(const std::string& id, const RunFacts& facts) {
  const int64_t number = run_number(id);
  database_->guarded([&] {
    auto update = database_->statement("UPDATE runs SET facts = ? WHERE number = ?");
    update.bind(1, to_json(facts).dump());
    update.bind(2, number);
    update.exec();
  });
}

int64_t RunStore::run_number(const std::string& id) const {
  const auto number = database_->guarded([&]() -> std::optional<int64_t> {
    auto select = database_->statement("SELECT number FROM runs WHERE id = ?");
    select.bind(1, id);
    if (!select.executeStep()) return std::nullopt;
    return select.getColumn(0).getInt64();
  });
  if (!number) run(id);  // throws, naming the runs that exist
  return *number;
}

std::vector<std::vector<std::string>> RunStore::query(const std::string& sql) const {
  return database_->guarded([&] {
    auto select = database_->statement(sql);
    std::vector<std::vector<std::string>> rows;
    while (select.executeStep()) {
      auto& row = rows.emplace_back();
      for (int i = 0; i < select.getColumnCount(); ++i) row.push_back(select.getColumn(i).getString());
    }
    return rows;
  });
}

}  // namespace normscope
