// Starts Python once and writes its memory down, so that no browser has to: it takes ten times as long as reading it.
//
//     node snapshot.mjs FOLDER-OF-PYODIDE FILE
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";

const [folder, file] = process.argv.slice(2);
process.argv[1] = "python3"; // it stays in the memory that is written down, and so would this file
const { loadPyodide } = createRequire(import.meta.url)(resolve(folder, "pyodide.js"));
const python = await loadPyodide({ indexURL: `${resolve(folder)}/`, _makeSnapshot: true, env: { PYTHONHASHSEED: "0" } });
writeFileSync(file, gzipSync(python.makeMemorySnapshot(), { level: 9 }));
