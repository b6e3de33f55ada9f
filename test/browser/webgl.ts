// Reads textures back from WebGL texel by texel, which no 2D canvas can do without changing colours.

/** A WebGL 2 context; software rendering is fine. */
export function createContext(): WebGL2RenderingContext {
  const gl = document.createElement('canvas').getContext('webgl2', { premultipliedAlpha: false });
  if (!gl) throw new Error('no WebGL 2');
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  return gl;
}

const vertexShader = `#version 300 es
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

const fragmentShader = `#version 300 es
precision highp float;
uniform sampler2D image;
uniform int level;
out vec4 texel;
void main() {
  texel = texelFetch(image, ivec2(gl_FragCoord.xy), level);
}`;

/** The texels of the bound texture as a shader sees them; the first row is the texture's first. */
export function readTexels(
  gl: WebGL2RenderingContext,
  level: number,
  width: number,
  height: number,
): Uint8Array {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, fragmentShader],
  ] as const) {
    const shader = gl.createShader(type) as WebGLShader;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(gl.getProgramInfoLog(program) ?? 'the program does not link');
  }
  const target = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, target);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, width, height);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, target);
  gl.viewport(0, 0, width, height);
  gl.useProgram(program);
  gl.uniform1i(gl.getUniformLocation(program, 'level'), level);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  const texels = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, texels);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  const error = gl.getError();
  if (error !== gl.NO_ERROR) throw new Error(`WebGL error ${error}`);
  return texels;
}
