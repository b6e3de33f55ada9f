// How far a run is: a bar on a terminal, a line now and then in a log. Everything goes to standard error.

import cliProgress from 'cli-progress';
import { formatRate, formatSeconds } from './words.js';

export interface Progress {
  /** Counts a file that has ended. */
  add(pixels: number): void;
  /** Prints a line without tearing the bar. */
  line(text: string): void;
  end(): void;
}

/** Seconds between the lines in a log. */
const lineInterval = 10;

export function createProgress(total: number, isQuiet: boolean): Progress {
  const started = performance.now();
  let files = 0;
  let pixels = 0;

  function figures() {
    const seconds = (performance.now() - started) / 1000;
    const left = files === 0 ? Number.NaN : ((total - files) * seconds) / files;
    return {
      speed: `${formatRate(files / seconds)} files/s`,
      pixels: `${formatRate(pixels / 1e6 / seconds)} MPix/s`,
      left: Number.isNaN(left) ? 'time left unknown' : `${formatSeconds(left)} left`,
    };
  }

  if (isQuiet) {
    return { add() {}, line: (text) => process.stderr.write(`${text}\n`), end() {} };
  }
  if (process.stderr.isTTY) {
    const bars = new cliProgress.MultiBar(
      {
        format: '{bar} {value}/{total} files | {speed} | {pixels} | {left}',
        stream: process.stderr,
        hideCursor: true,
        clearOnComplete: true,
        fps: 8,
        // Signals are for the run to handle: it ends the bar when its files have ended.
        gracefulExit: false,
      },
      cliProgress.Presets.shades_classic,
    );
    const bar = bars.create(total, 0, figures());
    return {
      add(count) {
        files++;
        pixels += count;
        bar.update(files, figures());
      },
      line: (text) => bars.log(`${text}\n`),
      end() {
        bars.update();
        bars.stop();
      },
    };
  }
  let lastLine = started;
  return {
    add(count) {
      files++;
      pixels += count;
      const now = performance.now();
      if (now - lastLine < lineInterval * 1000 || files === total) return;
      lastLine = now;
      const { speed, pixels: texels, left } = figures();
      process.stderr.write(`${files} of ${total} files, ${speed}, ${texels}, ${left}\n`);
    },
    line: (text) => process.stderr.write(`${text}\n`),
    end() {},
  };
}
