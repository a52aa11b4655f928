// The worker in which students' programs run, one after the other (grader/sandbox/browser/child.py).
//
// Whatever is in here may be under a program's control, so nothing is trusted that comes out: room.js bounds and times
// it, the judge holds it to the protocol. The wall is not this file but where it runs: in a frame of no origin whose
// content policy allows no connection. Taking the worker's own functions away only makes the wall thicker.
"use strict";
(() => {
  const send = self.postMessage.bind(self);
  const now = performance.now.bind(performance);
  const grow = WebAssembly.Memory.prototype.grow;
  const MIB = 1 << 20;
  const AWAITS_CALLS = -1;
  const SIGALRM = 14;
  const STEP_MS = 20;
  const PATIENCE = 4; // times the limit on the clock: then it is asked anyway
  const KEPT = new Set(
    ("Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError " +
      "FinalizationRegistry Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl Iterator " +
      "JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String " +
      "SuppressedError Symbol SyntaxError TextDecoder TextEncoder TypeError URIError Uint16Array Uint32Array " +
      "Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly clearTimeout console constructor crypto " +
      "decodeURIComponent encodeURIComponent globalThis isFinite isNaN parseFloat parseInt performance " +
      "queueMicrotask self setTimeout undefined").split(" "),
  );
  let python, child, keep, fresh, files, streams, mostBytes;
  let [spent, asked, begun, due, last] = [0, 0, 0, Infinity, Infinity]; // milliseconds: see alarm
  let left = {}; // bytes that it may still print, by stream

  const device = (number, name, what) => {
    const { FS } = python;
    const write = (_stream, buffer, offset, length) => {
      const bytes = Uint8Array.from(buffer.subarray(offset, offset + length));
      send({ what, bytes }, [bytes.buffer]);
      if ((left[what] -= length) < 0) due = 0; // beyond its limit: where is it?
      return length;
    };
    FS.registerDevice(FS.makedev(64, number), { open() {}, close() {}, write });
    FS.mkdev(`/dev/${name}`, 0o222, FS.makedev(64, number));
  };

  const lockDown = () => {
    for (let holder = self; holder && holder !== Object.prototype; holder = Object.getPrototypeOf(holder))
      for (const name of Object.getOwnPropertyNames(holder))
        if (!KEPT.has(name) && !Reflect.deleteProperty(holder, name)) Reflect.set(holder, name, undefined);
  };

  const boot = async ({ parts, sources, watcher, watch }) => {
    python = await startPython(parts, parts.snapshot);
    device(1, "printed", "out");
    device(2, "complained", "err");
    device(3, "channel", "frame");
    device(4, "where", "where");
    for (const [path, text] of Object.entries(sources)) {
      python.FS.mkdirTree(`/ours/${path}`.replace(/\/[^/]*$/, ""));
      python.FS.writeFile(`/ours/${path}`, text);
    }
    python.runPython("import sys; sys.path.insert(0, '/ours')");
    const module = python.pyimport("grader.sandbox.browser.child");
    // Whatever JavaScript knows of Python's memory must be known before that is copied.
    child = Object.fromEntries(["begin", "run", "call", "was_shallow"].map((name) => [name, module[name]]));
    python.setInterruptBuffer({ get 0() { return alarm(); }, set 0(_value) {} });
    module.prepare(watcher, python.toPy(watch));
    keep = module;
    WebAssembly.Memory.prototype.grow = function (pages) {
      if (this.buffer.byteLength + pages * 65536 > mostBytes) throw new RangeError("the program's memory is used up");
      return grow.call(this, pages);
    };
    lockDown();
    files = listed("/");
    streams = [...python.FS.streams];
    fresh = python._module.HEAPU8.slice();
    send({ what: "ready" });
  };

  // Asked by the interpreter every few hundred instructions: has the program run out of time? Then, once, where is it?
  // A browser has no clock of processor time. So of a long while between two questions, in which this worker may just
  // have waited for a busy machine, only a step counts.
  const alarm = () => {
    const time = now();
    spent += Math.min(time - asked, STEP_MS);
    asked = time;
    if (spent < Math.min(due, last) && time - begun < PATIENCE * last) return 0;
    due = last = Infinity;
    send({ what: "late" }); // for whoever doesn't listen to the signal
    return SIGALRM;
  };

  const listed = (path, found = new Set()) => {
    const { FS } = python;
    for (const name of FS.readdir(path)) {
      const inner = path === "/" ? `/${name}` : `${path}/${name}`;
      if (name === "." || name === ".." || /^\/(dev|proc)\//.test(inner)) continue;
      found.add(inner);
      if (FS.isDir(FS.lstat(inner).mode)) listed(inner, found);
    }
    return found;
  };

  // Make the interpreter as fresh as before the case; false when that can't be done, and the worker must go.
  const refresh = () => {
    const { FS } = python;
    FS.chdir("/");
    for (const stream of FS.streams) if (stream && !streams.includes(stream)) FS.close(stream);
    const isWhole = streams.every((stream, place) => !stream || FS.streams[place] === stream);
    const present = listed("/");
    for (const path of [...present].reverse())
      if (!files.has(path)) FS.isDir(FS.lstat(path).mode) ? FS.rmdir(path) : FS.unlink(path);
    const memory = python._module.HEAPU8;
    memory.set(fresh);
    memory.fill(0, fresh.length);
    return isWhole && [...files].every((path) => present.has(path)) && memory.length - fresh.length < 64 * MIB;
  };

  const step = (deed) => {
    let facts = { status: 0, isShallow: false, crash: "" };
    try {
      facts.status = deed();
      if (facts.status === AWAITS_CALLS) return send({ what: "awaits" });
      facts.isShallow = child.was_shallow();
    } catch (error) {
      if (error?.name === "Exit" || error?.name === "ExitStatus") facts.status = error.status ?? 0;
      else facts.crash = String(error?.message ?? error).slice(0, 2000) || "unknown";
      facts.isWorn = true;
    }
    facts.grownMib = Math.max(0, (python._module.HEAPU8.length - fresh.length) / MIB);
    try {
      facts.isWorn ||= !refresh();
    } catch {
      facts.isWorn = true;
    }
    send({ what: "done", facts });
  };

  const begin = ({ told, stdin, seconds, memoryMib, outputBytes }) => {
    mostBytes = fresh.length + memoryMib * MIB;
    left = { out: outputBytes, err: outputBytes };
    due = last = Infinity;
    step(() => {
      python.FS.writeFile("/told", told);
      python.FS.writeFile("/stdin", stdin);
      child.begin();
      begun = asked = now();
      [spent, last] = [0, seconds * 1000];
      return child.run();
    });
  };

  const call = ({ told, seconds }) => {
    asked = now();
    if (seconds) due = spent + seconds * 1000;
    step(() => {
      python.FS.writeFile("/told", told);
      return child.call();
    });
  };

  const deeds = { boot, case: begin, call };
  self.addEventListener("message", ({ data }) => deeds[data.what](data));
  self.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    send({ what: "broken", reason: String(event.reason) });
  });
})();
