// Stands in for import.meta.url where the library is built as CommonJS.
export const moduleUrl =
  typeof __filename === 'string' && globalThis.process?.getBuiltinModule
    ? globalThis.process.getBuiltinModule('node:url').pathToFileURL(__filename).href
    : globalThis.document?.baseURI;
