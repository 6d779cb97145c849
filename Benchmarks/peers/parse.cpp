// Parses every line of some logs in C++ with simdjson's DOM, and does nothing else: no CRC, no state, no decisions.
//
//   parse REPETITIONS FILE…
//
// The files are read before the clock starts. Prints the median time in nanoseconds and the number of lines.

#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char **argv) {
  if (argc < 3 || atoi(argv[1]) < 1) {
    fprintf(stderr, "usage: parse REPETITIONS FILE...\n");
    return 64;
  }
  try {
    std::vector<simdjson::padded_string> logs;
    for (int i = 2; i < argc; i++) logs.push_back(simdjson::padded_string::load(argv[i]).take_value());
    simdjson::dom::parser parser;
    std::vector<int64_t> times;
    size_t lines = 0;
    for (int repetition = 0; repetition < atoi(argv[1]); repetition++) {
      lines = 0;
      auto start = std::chrono::steady_clock::now();
      for (const auto &log : logs) {
        const char *line = log.data(), *end = log.data() + log.size();
        while (line < end) {
          const char *stop = std::find(line, end, '\n');
          // A parse may read beyond the line: the next one, or the padding.
          simdjson::dom::element event = parser.parse(line, stop - line, false);
          lines += event.is_object();
          line = stop + 1;
        }
      }
      times.push_back(
          std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    printf("%lld %zu\n", static_cast<long long>(times[times.size() / 2]), lines);
  } catch (const simdjson::simdjson_error &error) {
    fprintf(stderr, "parse: %s\n", error.what());
    return 2;
  }
}
