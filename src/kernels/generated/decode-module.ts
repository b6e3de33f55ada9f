// The compiled decode module as base64, written by scripts/build-wasm.mjs.
export default 'AGFzbQEAAAABBQFgAAF/AwIBAAUDAQABBxUCCGhlYXBCYXNlAAAGbWVtb3J5AgAKBwEFAEGACAs=';
