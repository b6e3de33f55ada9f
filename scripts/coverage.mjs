// Runs the tests and says which lines of src they reach: in Node, in the built package and its threads, in Chromium.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { mergeProcessCovs } from '@bcoe/v8-coverage';
import { convert } from 'ast-v8-to-istanbul';
import coverageLibrary from 'istanbul-lib-coverage';
import reportLibrary from 'istanbul-lib-report';
import reports from 'istanbul-reports';
import { parseAstAsync } from 'vite';

/** Percent of the lines that the tests must reach. */
const least = 95;

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = `${root}build/coverage`;
const processes = `${folder}/processes`;
rmSync(folder, { recursive: true, force: true });
mkdirSync(processes, { recursive: true });

/** Tests of the built package: what they reach is known by the threads and processes themselves. */
const ofPackage = ['test/cli', 'test/pool/decode-many.test.ts'];
const map = coverageLibrary.createCoverageMap();

runTests([...measured('node'), ...ofPackage.map((path) => `--exclude=${path}`)]);
runTests([...measured('browser'), '--config=vitest.browser.config.ts', '--project=browser']);
runTests(ofPackage, {
  BLP_COVERAGE: 'yes',
  NODE_V8_COVERAGE: processes,
  NODE_OPTIONS: `--import=${new URL('coverage-hook.mjs', import.meta.url)}`,
});
for (const part of ['node', 'browser']) {
  map.merge(JSON.parse(readFileSync(`${folder}/${part}/coverage-final.json`, 'utf8')));
}
await addPackage();

// Lines alone: the parts place statements and branches differently, so that joined they count twice.
for (const file of map.files()) {
  const { covered, total, pct } = map.fileCoverageFor(file).toSummary().lines;
  if (pct < least) console.log(`${file.slice(root.length)}: ${covered} of ${total} lines`);
}
const context = reportLibrary.createContext({ dir: folder, coverageMap: map });
reports.create('html').execute(context);
const { pct } = map.getCoverageSummary().lines;
console.log(`${pct} % of the lines of src are reached, at least ${least} % must be`);
if (pct < least) process.exitCode = 1;

/** Options that make the runner measure the modules of src that it loads itself. */
function measured(part) {
  return [
    ...['--coverage.enabled', '--coverage.reportOnFailure', '--coverage.reporter=json'],
    ...['--coverage.include=src/**', '--coverage.exclude=src/kernels/generated/**'],
    `--coverage.reportsDirectory=${folder}/${part}`,
  ];
}

function runTests(options, environment = {}) {
  const { status } = spawnSync(
    `${root}node_modules/.bin/vitest`,
    // Measured code is several times slower.
    ['run', '--testTimeout=300000', ...options],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } },
  );
  if (status !== 0) process.exitCode = 1;
}

/** Adds what the built package reached, led back to src by its source maps. */
async function addPackage() {
  const builds = readdirSync(`${root}build`).filter((name) => name.startsWith('test-'));
  const [first] = builds;
  const ofBuild = /\/build\/test-[^/]+\//;
  // Each test file has a build of its own, and all are the same: they count as one.
  const parts = readdirSync(processes).map((name) => {
    const { result } = JSON.parse(readFileSync(`${processes}/${name}`, 'utf8'));
    return {
      result: result
        .filter(({ url }) => ofBuild.test(url))
        .map((script) => ({ ...script, url: script.url.replace(ofBuild, `/build/${first}/`) })),
    };
  });
  for (const coverage of mergeProcessCovs(parts).result) {
    const path = fileURLToPath(coverage.url);
    if (!existsSync(`${path}.map`)) continue;
    const code = readFileSync(path, 'utf8');
    const sourceMap = JSON.parse(readFileSync(`${path}.map`, 'utf8'));
    sourceMap.sources = sourceMap.sources.map(
      (source) => new URL(source, pathToFileURL(path)).href,
    );
    const data = await convert({ ast: parseAstAsync(code), code, coverage, sourceMap });
    for (const [file, entry] of Object.entries(data)) {
      if (file.startsWith(`${root}src/`) && !file.includes('/generated/')) {
        map.merge({ [file]: entry });
      }
    }
  }
  for (const name of builds) rmSync(`${root}build/${name}`, { recursive: true, force: true });
}
