// Opens SQLite for one writer beside many readers, and says in plain words what went wrong.
#include "storage/database.h"

#include <sqlite3.h>

#include "core/text.h"

namespace normscope {
namespace {

// SQLite's URI form, so that `immutable` can be given: %, ? and # have a meaning there.
std::string to_uri(const std::filesystem::path& path) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    if (c == '%' || c == '?' || c == '#') {
      uri += c == '%' ? "%25" : c == '?' ? "%3f" : "%23";
    } else {
      uri += c;
    }
  }
  return uri;
}

}  // namespace

Database::Database(const std::filesystem::path& path, Access access, int busy_timeout_ms)
    : path_(path), busy_timeout_ms_(busy_timeout_ms) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (access == Access::Read)
    require(fs::exists(path, ignored), ErrorKind::Usage, path.string(), ": no study database there");
  require(!fs::is_directory(path, ignored), ErrorKind::Usage, path.string(),
          ": expected a database file, found a folder");
  guarded([&] {
    if (access == Access::Write) {
      connection_ =
          std::make_unique<SQLite::Database>(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busy_timeout_ms);
      // File systems without shared memory keep the rollback journal, which is as safe.
      connection_->exec("PRAGMA journal_mode = WAL");
      connection_->exec("PRAGMA synchronous = FULL");  // an epoch that was reported survives a power cut
      connection_->exec("PRAGMA foreign_keys = ON");
      return;
    }
    connection_ = std::make_unique<SQLite::Database>(path, SQLite::OPEN_READONLY, busy_timeout_ms);
    const int result = connection_->tryExec("SELECT count(*) FROM sqlite_master");
    if (result != SQLITE_CANTOPEN && result != SQLITE_READONLY) return;
    // A read-only folder cannot hold the WAL's index; without a WAL the file itself is complete.
    require(!fs::exists(path.string() + "-wal", ignored), ErrorKind::Run, path.string(),
            ": a run has not finished writing it and the folder is read-only; copy the folder to read it");
    connection_ =
        std::make_unique<SQLite::Database>(to_uri(path) + "?immutable=1", SQLite::OPEN_READONLY | SQLite::OPEN_URI);
  });
}

void Database::in_transaction(const std::function<void()>& body) {
  guarded([&] {
    SQLite::Transaction transaction(*connection_, SQLite::TransactionBehavior::IMMEDIATE);
    body();
    transaction.commit();
  });
}

Error Database::explain(const SQLite::Exception& failure) const {
  const std::string where = path_.string() + ": ";
  switch (failure.getErrorCode()) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorKind::Run, where + "locked by another program for more than " +
                                  format_number(busy_timeout_ms_ / 1000.0) +
                                  " s; close what has it open and start again"};
    case SQLITE_NOTADB:
      return {ErrorKind::Data, where + "expected a normscope database, found another kind of file"};
    case SQLITE_CORRUPT:
      return {ErrorKind::Data, where + "the database is damaged (" + failure.what() + ")"};
    case SQLITE_FULL:
      return {ErrorKind::Run, where + "the disk is full; nothing of this epoch was stored"};
    case SQLITE_READONLY:
      return {ErrorKind::Run, where + "may not be written here"};
    case SQLITE_CANTOPEN:
      return {ErrorKind::Run, where + "cannot be opened (" + failure.what() + ")"};
    default:
      return {ErrorKind::Run, where + failure.what()};
  }
}

}  // namespace normscope
