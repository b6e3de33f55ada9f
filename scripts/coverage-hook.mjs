// Loaded into every thread of a command whose coverage is measured: threads that are ended from outside write none.
import { takeCoverage } from 'node:v8';
import { isMainThread, parentPort } from 'node:worker_threads';

if (!isMainThread) {
  const post = parentPort.postMessage.bind(parentPort);
  let messages = 0;
  parentPort.postMessage = (...args) => {
    post(...args);
    // Often at first, seldom in long runs: each time writes a file.
    messages++;
    if (messages <= 20 || messages % 1000 === 0) takeCoverage();
  };
}
