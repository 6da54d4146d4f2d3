// The parts of the report's page, each as HTML.
#pragma once
#include <string>

#include "reports/report.h"
#include "reports/study_view.h"

namespace normscope {

std::string page_html(const StudyView& study, const ReportOptions& options);

}  // namespace normscope
