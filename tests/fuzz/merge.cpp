// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The reader of `merge`: files of any bytes. The sum is the same in any order, can be written, read and merged again,
// and a file that is refused adds nothing.
#include "gpuhisto/merge.hpp"

#include "fuzz/rendering.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto::fuzz {
namespace {

std::string written(const Merge& merge) {
  ReportOptions options;
  options.counting = merge.counting();
  return render(Kind::kHist, ReportFormat::kJsonl, options, {}, merge.total());
}

bool add(Merge& merge, Bytes file) {
  const std::string before = written(merge);
  try {
    merge.add(*open_memory(file), "file");
    return true;
  } catch (const Error&) {
    require(written(merge) == before, "a file that is refused adds nothing");
    return false;
  }
}

}  // namespace
}  // namespace gpuhisto::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuhisto;
  using namespace gpuhisto::fuzz;
  Choices choices({data, size});
  const auto accept = choices.flag() ? Merge::Accept::kPartial : Merge::Accept::kWhole;
  Merge forward(accept), backward(accept), again(Merge::Accept::kPartial);
  std::vector<Bytes> taken;
  for (const Bytes file : parts_of(choices.rest(), 0, 4))
    if (add(forward, file)) taken.push_back(file);
  forward.missing();
  for (auto file = taken.rbegin(); file != taken.rend(); ++file) require(add(backward, *file), "in any order");
  require(written(forward) == written(backward), "the order does not matter");
  if (taken.empty()) return 0;
  require(add(again, bytes_of(written(forward))), "a sum can be added again");
  require(written(again) == written(forward), "a sum that is added again is the same");
  return 0;
}
