#include "core/around/prepared.hpp"

#include <algorithm>
#include <cmath>

namespace geco {
namespace {

constexpr std::size_t kNamed = 3;  // other categories that sentences name, and that the user's model is asked about

}  // namespace

Prepared::Prepared(const Archive& archive, Around& near, bool ranges, std::size_t steps)
    : space_(near.space()), archive_(archive), width_(near.width()), shown_(near.answers()), found_(near.found()),
      before_(shown_.size() / width_, kNone), asked_(shown_) {
  for (std::size_t a = 0; a < size(); ++a) {
    const Row* found = &found_[a * width_];
    if (std::equal(found, found + width_, row(a))) continue;
    moved_.push_back(a);
    before_[a] = rows();
    asked_.insert(asked_.end(), found, found + width_);
  }
  if (ranges) ranges_ = near.ranges();
  ask_ends();
  ask_ways(steps);
}

void Prepared::ask_ends() {
  for (const Range& range : ranges_) {
    ends_.push_back(rows());
    for (Row end : ends(range)) {
      const Row* answer = &shown_[range.answer * width_];
      asked_.insert(asked_.end(), answer, answer + width_);
      asked_[asked_.size() - width_ + range.group] = end;
    }
  }
  ends_.push_back(rows());
}

void Prepared::ask_ways(std::size_t steps) {
  sure_ = asked_.size();
  for (std::size_t place = 0; place < steps && place * width_ < sure_; ++place) {
    steps_.push_back(rows());
    ways_.push_back(way_to(space_, row(place)));
    const std::vector<Row>& between = ways_.back().between;
    asked_.insert(asked_.end(), between.begin(), between.end());
  }
}

// Both ends of a run, or the first of other categories; the chosen row is asked about as it is.
std::vector<Row> Prepared::ends(const Range& range) const {
  const Row chosen = shown_[range.answer * width_ + range.group];
  std::vector<Row> rows;
  const auto add = [&](Row row) {
    if (row != chosen && std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  };
  add(range.low);
  if (range.low != range.high) add(range.high);
  else
    for (std::size_t i = 0; i < range.others.size() && i < kNamed; ++i) add(range.others[i]);
  return rows;
}

bool Prepared::hold(std::size_t range, const Heard& heard) const {
  for (std::size_t place = ends_[range]; place < ends_[range + 1]; ++place)
    if (!heard.good(place)) return false;
  return true;
}

std::vector<Facts> Prepared::confirmed(std::span<const double> outcome, std::span<const double> number) const {
  const Heard heard{outcome, number};
  std::vector<Facts> all;
  for (std::size_t a = 0; a < size() && a < outcome.size(); ++a) {
    const std::size_t before = before_[a];
    if (!heard.good(a) && (before == kNone || !heard.good(before))) continue;
    const std::size_t place = heard.good(a) ? a : before;
    Facts made = facts(place);
    made.number = number[place];
    if (place == a) {
      if (before != kNone) made.unrounded = std::make_shared<const Facts>(facts(before));
      add_ranges(a, &heard, made);
    }
    add_way(place, heard, made);
    all.push_back(std::move(made));
  }
  return all;
}

std::vector<Facts> Prepared::unconfirmed(std::span<const double> number) const {
  std::vector<Facts> all;
  std::size_t moved = 0;
  for (std::size_t a = 0; a < size(); ++a) {
    Facts made = facts(a);
    if (before_[a] != kNone) {
      made.unrounded = std::make_shared<const Facts>(facts(before_[a]));
      made.number = number.empty() ? made.unrounded->number : number[moved++];
    }
    add_ranges(a, nullptr, made);
    add_way(a, {}, made);
    all.push_back(std::move(made));
  }
  return all;
}

Facts Prepared::facts(std::size_t place) const {
  Facts made = geco::facts(space_, archive_, row(place));
  made.place = place;
  return made;
}

void Prepared::add_ranges(std::size_t answer, const Heard* heard, Facts& of) const {
  for (std::size_t r = 0; r < ranges_.size(); ++r)
    if (static_cast<std::size_t>(ranges_[r].answer) == answer && (!heard || hold(r, *heard)))
      of.ranges.push_back(ranges_[r]);
}

void Prepared::add_way(std::size_t place, const Heard& heard, Facts& of) const {
  const bool known = place < ways_.size();
  of.way = known ? ways_[place] : way_to(space_, row(place));
  for (std::size_t i = 0; i < of.way.broken.size(); ++i) {
    const std::size_t at = known ? steps_[place] + i : kNone;
    of.between.push_back(at < heard.outcome.size() ? Said{heard.outcome[at], heard.number[at]}
                                                   : said(&of.way.between[i * width_], heard));
  }
}

// What was said of the same row on another way.
Said Prepared::said(const Row* rows, const Heard& heard) const {
  for (std::size_t place = sure_ / width_; place < heard.outcome.size(); ++place)
    if (std::equal(rows, rows + width_, row(place))) return {heard.outcome[place], heard.number[place]};
  return {};
}

}  // namespace geco
