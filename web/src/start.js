// What the room and its workers share; it stands before their own scripts. Python starts out of memory that was written
// down, and all it would fetch came with a message.
"use strict";
const inflated = async (bytes) => {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes; // some servers unpack it on the way
  const pieces = new Response(bytes).body.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(pieces).arrayBuffer());
};
const startPython = ({ module, stdlib, lock }, memory) => {
  const shim = new Map([["python_stdlib.zip", stdlib]]);
  self.fetch = async (url) => new Response(shim.get(String(url).split("/").pop()) ?? new Uint8Array());
  WebAssembly.instantiateStreaming = async (_response, imports) => {
    const instance = await WebAssembly.instantiate(module, imports);
    return { instance, module };
  };
  const given = { indexURL: "none:/", stdLibURL: "none:/python_stdlib.zip", packageBaseUrl: "none:/" };
  return loadPyodide({ ...given, lockFileContents: lock, _loadSnapshot: memory });
};
