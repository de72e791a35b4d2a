// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "take_mask.hpp"

#include <memory>
#include <utility>

#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/mask.hpp"

namespace gpuhisto::app {

void take_mask(const std::string& name, Plan& plan, Console& console) {
  const std::string shown = name == "-" ? "standard input" : printable_name(name);
  DecodeOptions options = plan.count.decode;
  options.time_limit = TimeLimit(plan.count.max_seconds);
  try {
    const auto source = open_file(
        name, [&] { plan.count.on_wait(name); }, options.time_limit);
    auto mask = std::make_shared<Mask>(read_mask(*source, options));
    if (plan.count.strict && mask->flags.any())
      throw Error(
          ErrorKind::kInput,
          (mask->notes.empty() ? std::string(mask->flags.names().front()) : mask->notes.front()) + " (--strict)");
    for (const auto& note : mask->notes) console.warning(name, note);
    if (mask->empty) console.warning(name, "the mask is zero everywhere: no pixel counts");
    plan.count.decode.max_memory -= mask->image.bytes();
    plan.count.spec.predicate.mask = mask->image.view();
    plan.mask_name = MaskName{name, mask->digest};
    plan.mask = std::move(mask);
  } catch (const Error& error) {
    throw Error(error.kind(), shown + ": " + error.what());
  }
}

}  // namespace gpuhisto::app
