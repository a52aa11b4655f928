// Starts Python once and writes its memory down, so that no browser has to: it takes ten times as long as reading it.
//
//     node snapshot.mjs FOLDER-OF-PYODIDE FOLDER-OF-MODULES FOLDER
//
// memory.gz is Python just after its start; judge.gz is what differs (exclusive or) once the judge's modules are
// imported and its templates compiled.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const [folder, modules, out] = process.argv.slice(2);
process.argv[1] = "python3"; // it stays in the memory that is written down, and so would this file
const { loadPyodide } = createRequire(import.meta.url)(resolve(folder, "pyodide.js"));
const python = await loadPyodide({ indexURL: `${resolve(folder)}/`, _makeSnapshot: true, env: { PYTHONHASHSEED: "0" } });
const write = (name, bytes) => writeFileSync(join(out, name), gzipSync(bytes, { level: 9 }));
const memory = python.makeMemorySnapshot();
write("memory.gz", memory);

for (const path of readdirSync(modules, { recursive: true }).sort().filter((each) => /\.(py|html)$/.test(each))) {
  python.FS.mkdirTree(`/kit/${path}`.replace(/\/[^/]*$/, ""));
  python.FS.writeFile(`/kit/${path}`, readFileSync(join(modules, path), "utf-8"));
}
python.runPython(`
import gc, importlib, sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, "/kit")
for path in sorted(Path("/kit/grader").rglob("*.py")):
    importlib.import_module(".".join(path.relative_to("/kit").with_suffix("").parts).removesuffix(".__init__"))
sys.modules["grader.report.html.templates"].compile_all()
gc.collect()
`);
const difference = python.makeMemorySnapshot();
memory.forEach((byte, place) => (difference[place] ^= byte));
write("judge.gz", difference);
