#include "core/around/prepare.hpp"

namespace geco {
namespace {

bool all_known(Around& near, const Scoring& scoring, const Until& until) {
  try {
    near.sweep(scoring, until);
  } catch (const OutOfTime&) {
    return false;
  }
  return true;
}

}  // namespace

std::unique_ptr<Prepared> prepare(const Answering& wanted, const Scoring& scoring, const Until& until) {
  Archive& archive = wanted.archive;
  const auto best = wanted.kind ? archive.best(*wanted.kind, wanted.k) : archive.nearest(wanted.k);
  if (best.empty()) return nullptr;
  std::vector<Row> answers;
  for (std::int64_t i : best) answers.insert(answers.end(), archive.rows(i), archive.rows(i) + wanted.space.width());
  Around near({wanted.deployment, wanted.space, wanted.x, wanted.natures, &scoring}, std::move(answers), wanted.round,
              wanted.ranges);
  const bool known = all_known(near, scoring, until);
  return std::make_unique<Prepared>(archive, near, known && wanted.ranges, wanted.steps);
}

}  // namespace geco
