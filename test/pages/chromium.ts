// How Chromium is started: Debian's, or the one named by CHROMIUM; software rendering, nothing that calls home.

const quiet = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Options of Playwright's `launch`. */
export const chromium = { executablePath, args: [...quiet, '--disable-gpu'] };

/** With WebGL by SwiftShader: the same pixels on every machine. */
export const chromiumWithWebGL = {
  executablePath,
  args: [...quiet, '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
};
