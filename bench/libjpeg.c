// Encodes raw RGBA as a JPEG of four planes B, G, R, A by libjpeg, and prints the CPU seconds of one encoding.
//
// cc -O2 bench/libjpeg.c -o libjpeg -ljpeg && ./libjpeg input.rgba width height quality optimise repeats output.jpg

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <jpeglib.h>

static void encode(unsigned char *pixels, int width, int height, int quality, int optimise,
                   unsigned char **stream, unsigned long *size) {
  struct jpeg_compress_struct encoder;
  struct jpeg_error_mgr errors;
  encoder.err = jpeg_std_error(&errors);
  jpeg_create_compress(&encoder);
  jpeg_mem_dest(&encoder, stream, size);
  encoder.image_width = width;
  encoder.image_height = height;
  // Stored as they are: CMYK to CMYK is no conversion.
  encoder.input_components = 4;
  encoder.in_color_space = JCS_CMYK;
  jpeg_set_defaults(&encoder);
  jpeg_set_quality(&encoder, quality, TRUE);
  encoder.write_Adobe_marker = FALSE;
  encoder.dct_method = JDCT_ISLOW;
  encoder.optimize_coding = optimise;
  jpeg_start_compress(&encoder, TRUE);
  while (encoder.next_scanline < encoder.image_height) {
    JSAMPROW row = pixels + (size_t)encoder.next_scanline * width * 4;
    jpeg_write_scanlines(&encoder, &row, 1);
  }
  jpeg_finish_compress(&encoder);
  jpeg_destroy_compress(&encoder);
}

int main(int count, char **values) {
  if (count != 8) return 2;
  int width = atoi(values[2]), height = atoi(values[3]), repeats = atoi(values[6]);
  size_t texels = (size_t)width * height;
  unsigned char *pixels = malloc(texels * 4);
  FILE *input = fopen(values[1], "rb");
  if (!input || fread(pixels, 4, texels, input) != texels) return 1;
  fclose(input);
  for (size_t at = 0; at < texels * 4; at += 4) {
    unsigned char red = pixels[at];
    pixels[at] = pixels[at + 2];
    pixels[at + 2] = red;
  }
  unsigned char *stream = NULL;
  unsigned long size = 0;
  clock_t start = clock();
  for (int repeat = 0; repeat < repeats; repeat++) {
    free(stream);
    stream = NULL;
    encode(pixels, width, height, atoi(values[4]), atoi(values[5]), &stream, &size);
  }
  printf("%.9f\n", (double)(clock() - start) / CLOCKS_PER_SEC / repeats);
  FILE *output = fopen(values[7], "wb");
  fwrite(stream, 1, size, output);
  return fclose(output);
}
