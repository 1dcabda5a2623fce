#include "core/parserator/text.hpp"

namespace lawful {
namespace {

template <typename Character>
bool read_all(const Character* from, int64_t length, const Characters& characters, Text& text) {
  const std::size_t most = characters.bits.size();
  uint8_t all = Characters::known;
  for (int64_t i = 0; i < length; ++i) {
    const uint32_t point = from[i];
    if (point >= most) return false;
    text.points[i] = point;
    text.bits[i] = characters.bits[point];
    all &= text.bits[i];
  }
  return all != 0;
}

}  // namespace

bool Text::read(const RawText& raw, const Characters& characters) {
  points.resize(raw.length);
  bits.resize(raw.length);
  switch (raw.width) {
    case 1: return read_all(static_cast<const uint8_t*>(raw.characters), raw.length, characters, *this);
    case 2: return read_all(static_cast<const uint16_t*>(raw.characters), raw.length, characters, *this);
    default: return read_all(static_cast<const uint32_t*>(raw.characters), raw.length, characters, *this);
  }
}

void append_utf8(uint32_t point, std::string& into) {
  if (point < 0x80) {
    into += static_cast<char>(point);
  } else if (point < 0x800) {
    into += static_cast<char>(0xc0 | point >> 6);
    into += static_cast<char>(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    into += static_cast<char>(0xe0 | point >> 12);
    into += static_cast<char>(0x80 | (point >> 6 & 0x3f));
    into += static_cast<char>(0x80 | (point & 0x3f));
  } else {
    into += static_cast<char>(0xf0 | point >> 18);
    into += static_cast<char>(0x80 | (point >> 12 & 0x3f));
    into += static_cast<char>(0x80 | (point >> 6 & 0x3f));
    into += static_cast<char>(0x80 | (point & 0x3f));
  }
}

}  // namespace lawful
