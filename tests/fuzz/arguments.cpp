// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The command line: any words, as the whole program would run them, in a folder of its own. It must end with an exit
// code that is documented; and the readers of values must take or refuse any word.
#include <initializer_list>

#include "bench_values.hpp"
#include "exit_code.hpp"
#include "fuzz/words.hpp"
#include "gpuhisto/method.hpp"
#include "gpuhisto/policy.hpp"
#include "gpuhisto/statistics.hpp"
#include "program.hpp"
#include "shard_value.hpp"
#include "values.hpp"

namespace gpuhisto::fuzz {
namespace {

template <typename Read>
void take_or_refuse(Read read) {
  try {
    read();
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::kUsage && *error.what() != '\0', "a bad value is refused with a reason");
  }
}

/// What bench takes for a size can be multiplied.
void read_as_size(const std::string& word) {
  bench::Shape shape;
  shape.channels = 3;
  try {
    shape.width = app::parse_number(word, "a size");
    bench::check_size(shape);
  } catch (const Error&) {
    return;
  }
  require(shape.bytes() / 3 == shape.width, "the bytes of a size are told right");
}

void read_as_every_value(const std::string& word) {
  take_or_refuse([&] { app::parse_size(word, 1024); });
  take_or_refuse([&] { app::parse_channels(word); });
  take_or_refuse([&] { app::parse_color(word); });
  take_or_refuse([&] { app::parse_roi(word); });
  take_or_refuse([&] { app::parse_bins(word); });
  take_or_refuse([&] { app::parse_plot_size(word); });
  take_or_refuse([&] { app::parse_plot_scale(word); });
  take_or_refuse([&] { app::parse_plot_theme(word); });
  take_or_refuse([&] { app::parse_plot_layout(word); });
  take_or_refuse([&] { app::parse_threads(word); });
  take_or_refuse([&] { app::parse_shard(word); });
  take_or_refuse([&] { app::parse_numbers(word, "a number"); });
  take_or_refuse([&] { app::parse_rounds(word); });
  read_as_size(word);
  take_or_refuse([&] { app::parse_seconds(word); });
  bench::Shape shape;
  take_or_refuse([&] { app::parse_batch(word, shape); });
  take_or_refuse([&] { app::parse_patterns(word, bench::Keys::kU32); });
  take_or_refuse([&] { parse_percentiles(word); });
  take_or_refuse([&] { parse_device(word); });
  take_or_refuse([&] { parse_method(word); });
  take_or_refuse([&] { check_policy(word); });
}

}  // namespace
}  // namespace gpuhisto::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuhisto;
  fuzz::enter_fresh_folder();
  auto words = fuzz::words_in({data, size});
  fuzz::take_environment(words);
  for (const auto& word : words) fuzz::read_as_every_value(word);
  const int exit_code = app::run_program(words);
  fuzz::require(exit_code >= app::kExitOk && exit_code < app::kExitVerification, "the exit code is one of those meant");
  return 0;
}
