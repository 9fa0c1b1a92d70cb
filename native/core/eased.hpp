// Eased: a box without what a way leaves out, which is all that contains it without halving what the two share.
#pragma once
#include "core/options.hpp"

namespace geco {

class Eased {
 public:
  Eased(const Space& space, const Options& options, const std::vector<Row>& way);

  // Parts of the box: in each one group of the way is as in x, in the last one every change that the two share is
  // halved.
  std::vector<std::vector<Word>> parts(const std::vector<Word>& box) const;

 private:
  struct Changed {
    std::size_t first;  // where the words of the group are in a box
    std::vector<Word> same, other, halved;  // its options that are as in x, that are not, that halve the way's change
  };
  std::vector<Changed> changed_;
  bool compared_ = false;  // there is a change that no rule forces
};

}  // namespace geco
