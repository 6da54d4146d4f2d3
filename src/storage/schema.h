// The tables and views of normscope.db.
#pragma once
#include "storage/database.h"

namespace normscope {

inline constexpr int kSchemaVersion = 2;

// Makes the tables in an empty file, and the columns that a file of an older version lacks. Throws Error(Data) when the
// file belongs to another program or to a newer normscope.
void create_schema(Database& database);
void check_schema(const Database& database);
int64_t schema_version(const Database& database);

}  // namespace normscope
