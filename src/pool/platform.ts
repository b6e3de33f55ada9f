// What differs between Node and browsers, asked for at run time so that one build serves both.

/** Whether this is Node (or another engine that offers Node's modules). */
export const isNode = typeof globalThis.process?.getBuiltinModule === 'function';

/**
 * One of Node's own modules, without an import that bundlers for browsers would try to resolve.
 *
 * @returns undefined in browsers.
 */
export function nodeModule<Name extends keyof NodeModules>(name: Name): NodeModules[Name] {
  return globalThis.process?.getBuiltinModule?.(name) as NodeModules[Name];
}

interface NodeModules {
  'node:fs': typeof import('node:fs');
  'node:os': typeof import('node:os');
  'node:path': typeof import('node:path');
  'node:url': typeof import('node:url');
  'node:worker_threads': typeof import('node:worker_threads');
}

/** How many threads can run at once here. */
export function availableThreads(): number {
  if (isNode) return nodeModule('node:os').availableParallelism();
  return globalThis.navigator?.hardwareConcurrency ?? 2;
}
