// The tables and views of normscope.db.
#pragma once
#include "storage/database.h"

namespace normscope {

inline constexpr int kSchemaVersion = 1;

// Makes the tables in an empty file. Throws Error(Data) when the file belongs to another program or to a
// newer normscope.
void create_schema(Database& database);
void check_schema(const Database& database);

}  // namespace normscope
