// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <cmath>
#include <string>

#include "gpuhisto/plot.hpp"
#include "plot/number.hpp"
#include "plot/text.hpp"

namespace gpuhisto {
namespace plot {
namespace {

constexpr int kDecimals = 2;
constexpr int kPathDecimals = 1;  // a tenth of a pixel: no eye sees where a bar ends more finely
constexpr const char* kFonts =
    "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif";

/// XML text: markup escaped, characters that XML 1.0 forbids replaced by U+FFFD.
std::string escape(const std::string& text) {
  std::string result;
  for (const char32_t c : decode_utf8(text)) {
    const bool forbidden = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0xfffe || c == 0xffff;
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        append_utf8(result, forbidden ? U'\ufffd' : c);
    }
  }
  return result;
}

std::string hex(const Color& color) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text = "#";
  for (const unsigned value : {color.red, color.green, color.blue}) {
    text += kDigits[value >> 4];
    text += kDigits[value & 15];
  }
  return text;
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}

std::string attribute(const char* name, double value) { return attribute(name, decimal(value, kDecimals)); }

std::string paint(const char* name, const Color& color) {
  if (color.alpha <= 0) return attribute(name, "none");
  std::string text = attribute(name, hex(color));
  if (color.alpha < 1) text += attribute((std::string(name) + "-opacity").c_str(), color.alpha);
  return text;
}

/// Path data in relative steps from rounded points, so that rounding never adds up. A closed contour ends where it
/// began, and the next one begins from there.
std::string path_data(const Path& path) {
  std::string data;
  const auto rounded = [](double value) { return std::round(value * 10) / 10; };
  Point at, start;
  for (const auto& contour : path.contours) {
    for (std::size_t i = 0; i < contour.size(); ++i) {
      const Point to{rounded(contour[i].x), rounded(contour[i].y)};
      if (i == 0) at = path.closed ? start : Point{};
      const std::string dx = decimal(to.x - at.x, kPathDecimals), dy = decimal(to.y - at.y, kPathDecimals);
      if (i == 0) {
        start = to;
        data.append(path.closed ? "m" : "M").append(dx).append(dy[0] == '-' ? "" : " ").append(dy);
      } else if (dy == "0")
        data.append(dx == "0" ? "" : "h").append(dx == "0" ? "" : dx);
      else if (dx == "0")
        data.append("v").append(dy);
      else
        data.append("l").append(dx).append(dy[0] == '-' ? "" : " ").append(dy);
      at = to;
    }
    if (path.closed) data += "z";
  }
  return data;
}

class SvgWriter {
 public:
  explicit SvgWriter(std::string& out) : out_(out) {}

  void operator()(const Path& path) {
    if (path.contours.empty()) return;
    out_ += "<path";
    out_ += paint("fill", path.fill);
    if (path.stroke.alpha > 0) {
      out_ += paint("stroke", path.stroke) + attribute("stroke-width", path.stroke_width);
      out_ += attribute("stroke-linejoin", "round");
      if (path.dash > 0)
        out_ += attribute("stroke-dasharray", decimal(path.dash, kDecimals) + " " + decimal(path.dash / 2, kDecimals));
    }
    out_ += attribute("d", path_data(path));
    // Readers show it beside the pointer.
    out_ += path.name.empty() ? "/>\n" : "><title>" + escape(path.name) + "</title></path>\n";
  }

  void operator()(const Ramp& ramp) {
    const std::string id = "ramp" + std::to_string(++ramps_);
    out_ += "<linearGradient" + attribute("id", id) + "><stop" + attribute("stop-color", hex(ramp.left)) +
            "/><stop offset=\"1\"" + attribute("stop-color", hex(ramp.right)) + "/></linearGradient>\n<rect" +
            attribute("x", ramp.corner.x) + attribute("y", ramp.corner.y) + attribute("width", ramp.width) +
            attribute("height", ramp.height) + attribute("fill", "url(#" + id + ")") + "/>\n";
  }

  void operator()(const Label& label) {
    constexpr const char* kAnchors[] = {"start", "middle", "end"};
    out_ += "<text" + attribute("x", label.at.x) + attribute("y", label.at.y);
    if (label.anchor != Anchor::kStart)
      out_ += attribute("text-anchor", kAnchors[static_cast<std::size_t>(label.anchor)]);
    out_ += attribute("font-size", label.size) + (label.bold ? attribute("font-weight", "bold") : "");
    out_ += paint("fill", label.color) + ">" + escape(label.text) + "</text>\n";
  }

 private:
  std::string& out_;
  int ramps_ = 0;
};

}  // namespace
}  // namespace plot

std::string render_svg(const Scene& scene) {
  using namespace plot;
  const std::string width = std::to_string(scene.width), height = std::to_string(scene.height);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\"" +
                    attribute("width", std::to_string(scene.width * scene.scale)) +
                    attribute("height", std::to_string(scene.height * scene.scale)) +
                    attribute("viewBox", "0 0 " + width + " " + height) +
                    " role=\"img\" aria-labelledby=\"title desc\"" + attribute("font-family", kFonts) + ">\n";
  out += "<title id=\"title\">" + escape(scene.title) + "</title>\n";
  out += "<desc id=\"desc\">" + escape(scene.description) + "</desc>\n";
  out += "<rect width=\"100%\" height=\"100%\"" + paint("fill", scene.background) + "/>\n";
  SvgWriter writer(out);
  for (const auto& shape : scene.shapes) std::visit(writer, shape);
  return out + "</svg>\n";
}

}  // namespace gpuhisto
