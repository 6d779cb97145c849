// Replays the corridor responses of a log in C++ with simdjson On-Demand and Abseil's flat hash tables. It reads the
// file, adds the reports of each response to a set, removes expired ones, and compares count and checksum with the
// response. It verifies no CRC, plans nothing and compares no decisions.
//
//   fold sweep   FILE REPETITIONS   one table, scanned after each response
//   fold buckets FILE REPETITIONS   one table per 64 seconds: expired tables are removed whole, one is scanned
//
// Prints the median time in nanoseconds, the number of reports held at the end and their checksum.

#include <absl/container/flat_hash_set.h>
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string_view>
#include <vector>

namespace {

constexpr int64_t history = 7200;

uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

uint64_t parse_hex(std::string_view text) {
  uint64_t value = 0;
  for (char c : text) value = value << 4 | static_cast<uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
  return value;
}

/// A report of a resolution-5 cell: 22 bits of cell, 6 of altitude, 3 of severity, 16 of EDR, and its second.
struct Report {
  uint64_t packed;
  uint32_t observed_at;

  uint64_t digest() const {
    uint64_t index = packed >> 25 << 30 | 0x085000003fffffff;
    uint64_t word = static_cast<uint64_t>(observed_at) << 32 | (packed & 0xffff) << 16 |
                    (packed >> 19 & 0x3f) << 8 | (packed >> 16 & 7);
    return mix(mix(index) + word);
  }
  bool operator==(const Report &other) const {
    return packed == other.packed && observed_at == other.observed_at;
  }
  template <typename H>
  friend H AbslHashValue(H hash, const Report &report) {
    return H::combine(std::move(hash), report.packed, report.observed_at);
  }
};

/// One table, scanned completely for expired reports.
struct Sweeping {
  absl::flat_hash_set<Report> reports;
  uint64_t checksum = 0;

  size_t count() const { return reports.size(); }
  void clear() { *this = {}; }
  void insert(const Report &report) {
    if (reports.insert(report).second) checksum += report.digest();
  }
  void expire(int64_t limit) {
    absl::erase_if(reports, [&](const Report &report) {
      if (report.observed_at > limit) return false;
      checksum -= report.digest();
      return true;
    });
  }
};

/// A table per 64 seconds, oldest first.
struct Bucketed {
  struct Bucket {
    absl::flat_hash_set<uint64_t> reports;
    uint64_t checksum = 0;
  };
  std::deque<Bucket> buckets;
  int64_t first = 0;
  size_t held = 0;
  uint64_t checksum = 0;

  size_t count() const { return held; }
  void clear() { *this = {}; }
  void insert(const Report &report) {
    int64_t number = report.observed_at >> 6;
    if (buckets.empty()) first = number;
    while (number < first) {
      buckets.emplace_front();
      first--;
    }
    while (number - first >= static_cast<int64_t>(buckets.size())) buckets.emplace_back();
    Bucket &bucket = buckets[number - first];
    if (!bucket.reports.insert(report.packed << 6 | (report.observed_at & 63)).second) return;
    uint64_t digest = report.digest();
    bucket.checksum += digest;
    checksum += digest;
    held++;
  }
  void expire(int64_t limit) {
    int64_t number = limit >> 6;
    while (!buckets.empty() && first < number) {
      checksum -= buckets.front().checksum;
      held -= buckets.front().reports.size();
      buckets.pop_front();
      first++;
    }
    if (buckets.empty() || first != number) return;
    Bucket &cut = buckets.front();
    held -= absl::erase_if(cut.reports, [&](uint64_t slot) {
      Report report{slot >> 6, static_cast<uint32_t>(first << 6 | (slot & 63))};
      if (report.observed_at > limit) return false;
      uint64_t digest = report.digest();
      cut.checksum -= digest;
      checksum -= digest;
      return true;
    });
  }
};

template <typename Set>
Set fold(const char *path) {
  using namespace simdjson;
  Set set;
  padded_string text = padded_string::load(path);
  ondemand::parser parser;
  const char *next = text.data(), *end = next + text.size();
  while (next < end) {
    const char *stop = static_cast<const char *>(memchr(next, '\n', end - next));
    if (!stop) stop = end;
    // The bytes after the line are its padding.
    ondemand::document line = parser.iterate(next, stop - next, text.data() + text.size() + SIMDJSON_PADDING - next);
    next = stop + 1;
    std::string_view kind = line.find_field("kind").get_string();
    if (kind != "response.received") continue;
    if (line.find_field("status").get_uint64() != 200) continue;
    ondemand::object data = line.find_field("body").find_field("data").get_object();
    int64_t token = 0;
    bool is_delta = false;
    uint64_t count = 0, checksum = 0;
    for (auto field : data) {
      std::string_view key = field.unescaped_key();
      if (key == "lastUpdatedAt") {
        token = field.value().get_int64();
      } else if (key == "follows") {
        is_delta = true;
      } else if (key == "count") {
        count = field.value().get_uint64();
      } else if (key == "checksum") {
        checksum = parse_hex(field.value().get_string());
      } else if (key == "hexagons") {
        if (!is_delta) set.clear();
        set.expire(token - history);
        for (ondemand::object hexagon : field.value().get_array()) {
          uint64_t index = parse_hex(hexagon.find_field("id").get_string());
          uint64_t altitude = hexagon.find_field("alt").get_uint64();
          uint64_t severity = hexagon.find_field("sev").get_uint64();
          double edr = hexagon.find_field("edr").get_double();
          uint64_t observed_at = hexagon.find_field("observedAt").get_uint64();
          if (static_cast<int64_t>(observed_at) <= token - history) continue;
          set.insert(Report{(index >> 30 & 0x3fffff) << 25 | altitude << 19 | severity << 16 |
                                static_cast<uint64_t>(std::lround(edr * 10000)),
                            static_cast<uint32_t>(observed_at)});
        }
      }
    }
    if (set.count() != count || set.checksum != checksum) {
      fprintf(stderr, "%s: the held reports don't match the response of %" PRId64 "\n", path, token);
      exit(1);
    }
  }
  return set;
}

template <typename Set>
int run(const char *path, int repetitions) {
  std::vector<int64_t> times;
  size_t count = 0;
  uint64_t checksum = 0;
  for (int repetition = 0; repetition < repetitions; repetition++) {
    auto start = std::chrono::steady_clock::now();
    {
      Set set = fold<Set>(path);
      count = set.count();
      checksum = set.checksum;
    }
    times.push_back(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  printf("%" PRId64 " %zu %016" PRIx64 "\n", times[times.size() / 2], count, checksum);
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 4 || atoi(argv[3]) < 1) {
    fprintf(stderr, "usage: fold sweep|buckets FILE REPETITIONS\n");
    return 64;
  }
  int repetitions = atoi(argv[3]);
  try {
    if (strcmp(argv[1], "sweep") == 0) return run<Sweeping>(argv[2], repetitions);
    if (strcmp(argv[1], "buckets") == 0) return run<Bucketed>(argv[2], repetitions);
  } catch (const simdjson::simdjson_error &error) {
    fprintf(stderr, "%s: %s\n", argv[2], error.what());
    return 2;
  }
  fprintf(stderr, "unknown mode %s; use sweep or buckets\n", argv[1]);
  return 64;
}
