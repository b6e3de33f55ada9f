// libsquish for bench/dxt-quality.ts: RGBA on standard input, blocks on standard output, CPU milliseconds on standard error.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <squish.h>
#include <vector>

int main(int count, char **arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: squish width height flags < rgba > blocks\n");
    return 2;
  }
  const int width = std::atoi(arguments[1]);
  const int height = std::atoi(arguments[2]);
  const int flags = std::atoi(arguments[3]);
  std::vector<unsigned char> texels(width * height * 4);
  if (std::fread(texels.data(), 1, texels.size(), stdin) != texels.size()) return 1;
  std::vector<unsigned char> blocks(squish::GetStorageRequirements(width, height, flags));
  const std::clock_t start = std::clock();
  squish::CompressImage(texels.data(), width, height, blocks.data(), flags);
  std::fprintf(stderr, "%f\n", 1000.0 * (std::clock() - start) / CLOCKS_PER_SEC);
  return std::fwrite(blocks.data(), 1, blocks.size(), stdout) == blocks.size() ? 0 : 1;
}
