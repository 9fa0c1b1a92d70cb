#include "core/around/facts.hpp"

namespace geco {

Facts facts(const Space& space, const Archive& archive, const Row* rows) {
  Facts made;
  made.distance = space.distance(rows);
  const std::int64_t known = archive.find(rows);
  if (known >= 0) made.number = archive.number(known);
  for (std::int32_t g = 0; g < space.width(); ++g)
    if (rows[g] != 0) made.changed.push_back(g), made.rows.push_back(rows[g]);
  made.required = space.required(rows);
  return made;
}

}  // namespace geco
