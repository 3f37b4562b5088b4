// What Swift can't import from <zlib.h> by itself.
#include <zlib.h>

// inflateInit2 and deflateInit2 are macros that add the version and the stream's size: https://zlib.net/manual.html
static inline int storescope_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}
static inline int storescope_deflate_init(z_stream *stream, int level, int window_bits) {
  return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}
