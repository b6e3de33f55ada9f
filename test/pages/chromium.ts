// How Chromium is started: Debian's, or the one named by CHROMIUM; software rendering, nothing that calls home.

/** Options of Playwright's `launch`. */
export const chromium = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    // WebGL by SwiftShader: the same pixels on every machine.
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
