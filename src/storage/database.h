// A SQLite connection whose failures are Errors that name the file and what to do.
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <functional>

#include "core/error.h"

namespace normscope {

class Database {
 public:
  enum class Access { Write, Read };  // Write creates the file; Read also works on read-only media

  // Throws Error: Data when the file is no database, Run when it is locked or cannot be opened.
  Database(const std::filesystem::path& path, Access access, int busy_timeout_ms);

  // Calls body() with SQLite's exceptions turned into Errors.
  template <typename Body>
  auto guarded(Body&& body) const {
    try {
      return body();
    } catch (const SQLite::Exception& failure) {
      throw explain(failure);
    }
  }

  // Runs body() in one transaction that takes the write lock at once; an exception undoes all of it.
  void in_transaction(const std::function<void()>& body);

  SQLite::Statement statement(const std::string& sql) const { return SQLite::Statement(*connection_, sql); }
  void execute(const std::string& sql) { connection_->exec(sql); }
  int64_t number(const std::string& sql) const { return connection_->execAndGet(sql).getInt64(); }
  int64_t last_row() const { return connection_->getLastInsertRowid(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  Error explain(const SQLite::Exception& failure) const;

  std::filesystem::path path_;
  int busy_timeout_ms_;
  mutable std::unique_ptr<SQLite::Database> connection_;
};

}  // namespace normscope
