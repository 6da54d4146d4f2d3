// The section on labels that may be wrong: what the audit says, escaped, with pictures inside the page.
#include "reports/audit_page.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "reports/report.h"
#include "reports/synthetic_study.h"

namespace normscope {
namespace {

const char* const kAudit = R"({
  "method": "run none, training dynamics of 3 epochs", "rows": 4, "issues": 2, "classes": ["cat", "a < b"],
  "by_class": [{"class": "cat", "rows": 3, "issues": 2}, {"class": "a < b", "rows": 1, "issues": 0}],
  "confusion": [[0, 2], [0, 0]],
  "suspects": [
    {"row": 7, "source_row": 9, "label_score": 0.125, "given_label": "cat", "suggested_label": "a < b",
     "suggested_probability": 0.75, "why": ["never predicted as labelled", "forgotten once"], "content": "<script>x</script>"},
    {"row": 2, "source_row": 2, "label_score": 0.25, "given_label": "cat", "suggested_label": null,
     "suggested_probability": null, "why": [], "content": "b.png", "picture": "audit_pictures/2.png"}],
  "detection": {"wrong_labels": 1, "signals": [
    {"signal": "mean_margin", "auroc": 0.9, "auprc": 0.8, "precision_at_n": 100, "miss_rate": 0},
    {"signal": "forgetting_events", "auroc": null, "auprc": 0.5, "precision_at_n": 25, "miss_rate": 75}]},
  "warnings": ["class \"a < b\" has one row"]})";

class AuditPage : public ReportFolder {
 protected:
  void write(const std::string& name, const std::string& bytes) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    write_file_atomically(folder_ / name, bytes);
  }
  bool has(const std::string& html, const std::string& part) { return html.find(part) != std::string::npos; }
};

TEST_F(AuditPage, ShowsSuspectsClassesAndSignals) {
  write("audit.json", kAudit);
  write("audit_pictures/2.png", "png");
  const auto html = audit_html(folder_ / "audit.json");
  EXPECT_TRUE(has(html, "2 of 4 training rows have a suspicious label: run none, training dynamics of 3 epochs."));
  EXPECT_TRUE(has(html, "<td class=\"n\">9</td><td class=\"excerpt\">&lt;script&gt;x&lt;/script&gt;</td>"));
  EXPECT_TRUE(has(html, "never predicted as labelled; forgotten once"));
  EXPECT_TRUE(has(html, "src=\"data:image/png;base64,cG5n\""));
  EXPECT_TRUE(has(html, "<td class=\"n\">0.125</td>"));
  EXPECT_TRUE(has(html, "class &quot;a &lt; b&quot; has one row"));
  EXPECT_TRUE(has(html, "66.7"));  // of class cat
  EXPECT_TRUE(has(html, "Against the truth: 1 wrong label"));
  EXPECT_TRUE(has(html, "<td class=\"n\">75.0</td>"));
  EXPECT_FALSE(has(html, "<script>"));
  EXPECT_FALSE(has(html, "true label"));
}

TEST_F(AuditPage, StandsInTheReport) {
  auto store = make_store();
  add_synthetic_study(store);
  write_report(store, folder_ / "plain.html", {.gnuplot = "no-such-program"});
  EXPECT_FALSE(has(read_file(folder_ / "plain.html", ErrorKind::Run), "Labels that may be wrong"));
  write("runs/" + store.runs()[0].id + "/audit.json", kAudit);
  write_report(store, folder_ / "audited.html", {.gnuplot = "no-such-program"});
  EXPECT_TRUE(has(read_file(folder_ / "audited.html", ErrorKind::Run), "<h2>Labels that may be wrong</h2>"));
}

TEST_F(AuditPage, NamesAFileThatIsNoAudit) {
  for (const auto* bytes : {"{", "[]", "{\"rows\": \"many\"}"}) {
    write("audit.json", bytes);
    try {
      audit_html(folder_ / "audit.json");
      FAIL() << bytes;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Data);
      EXPECT_TRUE(has(error.what(), "audit.json: is no audit that can be read")) << error.what();
    }
  }
}

}  // namespace
}  // namespace normscope
