// The frame in which everything runs: it has no origin, so no storage, and its content policy allows no connection.
//
// It holds two workers, the judge and the one with the student's program, carries their messages, keeps the clock and
// the bounds, and ends whoever is beyond them. The page above sees results only.
"use strict";
(() => {
  const GRACE_S = 1; // after the program's own alarm: code in C doesn't hear it
  const PATIENCE = 5; // times the limit on the clock: the machine may be busy; more than in run.js
  const BOOT_S = 120;
  const READING_S = 60; // for the judge to read one answer
  const MOST_FRAMES = 200_000;
  const CHANNEL_BYTES = 1 << 20; // beside what it returns
  const NO_PYTHON = "Python doesn't start in this browser";
  const [TIME, OUTPUT] = ["cpu_limit", "output_limit"];
  const say = (message, transfer) => parent.postMessage(message, "*", transfer);
  let parts, judge, runner, run, patience;
  let turn = 0; // the number of the check; a stopped one has none

  const start = (name) => {
    const worker = new Worker(parts.scripts[name]);
    worker.onerror = (event) => {
      event.preventDefault();
      hear[name](worker, { what: "broken", reason: event.message });
    };
    worker.onmessage = ({ data }) => hear[name](worker, data);
    return worker;
  };
  const boot = (worker, message) =>
    parts.shared.then((shared) => worker.postMessage({ what: "boot", turn, parts: shared, ...message }), () => {}); // see open
  const ask = (message) => judge.postMessage({ ...message, turn });
  const startJudge = () => {
    judge = start("judge");
    boot(judge, { difference: parts.difference, kit: parts.kit });
    wait(BOOT_S, "the judge doesn't start in this browser");
  };
  const startRunner = () => {
    const worker = start("run");
    let ready;
    runner = { worker, isReady: new Promise((resolve) => (ready = resolve)) };
    runner.ready = ready;
    boot(worker, parts.child);
  };
  const wait = (seconds, reason) => {
    clearTimeout(patience);
    patience = setTimeout(() => fail(reason), seconds * 1000);
  };
  const fail = (reason, detail = "") => {
    clearTimeout(patience);
    stopRun();
    judge?.terminate();
    say({ what: "failed", reason, detail });
    if (parts) startJudge();
  };

  // One case. What comes from its worker is counted before it is kept.
  class Run {
    constructor(asked) {
      Object.assign(this, asked);
      this.out = { pieces: [], bytes: 0, most: asked.outputBytes };
      this.err = { pieces: [], bytes: 0, most: asked.outputBytes };
      this.stack = "";
      this.limit = TIME;
      this.frames = 0;
      this.frameBytes = 0;
    }
    async begin() {
      if (runner.isBroken) replaceRunner();
      this.timer = setTimeout(() => fail(NO_PYTHON), BOOT_S * 1000);
      await runner.isReady;
      if (run !== this) return;
      this.began = performance.now();
      this.watch(this.seconds);
      const { told, stdin, seconds, memoryMib, outputBytes } = this;
      runner.worker.postMessage({ what: "case", told, stdin, seconds, memoryMib, outputBytes });
    }
    watch(seconds) {
      if (this.isLate) return;
      clearTimeout(this.timer);
      const left = Math.min(seconds * PATIENCE, this.seconds * PATIENCE - (performance.now() - this.began) / 1000);
      this.timer = setTimeout(() => this.end({ limit: TIME }, true), (left + GRACE_S) * 1000);
    }
    keep(stream, bytes) {
      if (!(bytes instanceof Uint8Array)) return this.end({ limit: OUTPUT }, true);
      if (stream.bytes > stream.most) return; // it is told already
      stream.bytes += bytes.length;
      stream.pieces.push(bytes);
      if (stream.bytes > stream.most) this.late(OUTPUT);
    }
    late(limit) {
      if (this.isLate) return;
      [this.isLate, this.limit] = [true, limit];
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.end({ limit }, true), GRACE_S * 1000); // to hear where it was
    }
    frame(bytes) {
      this.frames += 1;
      this.frameBytes += bytes?.length ?? Infinity;
      if (this.frames > MOST_FRAMES || this.frameBytes > this.outputBytes + CHANNEL_BYTES)
        return this.end({ limit: OUTPUT }, true);
      ask({ what: "frame", bytes });
    }
    where(bytes) {
      this.stack = new TextDecoder().decode(bytes.subarray(0, 65536));
      this.end({ limit: this.limit }, true);
    }
    call(told) {
      if (this.tickSeconds) this.watch(this.tickSeconds);
      runner.worker.postMessage({ what: "call", told, seconds: this.tickSeconds ?? 0 });
    }
    end(said, isWorn) {
      if (run !== this) return;
      clearTimeout(this.timer);
      run = undefined;
      if (isWorn) replaceRunner();
      const whole = {
        limit: said.limit || (this.limit === OUTPUT ? OUTPUT : ""),
        exit_status: Number(said.status) | 0,
        wall_s: (performance.now() - this.began) / 1000,
        grown_mib: Number(said.grownMib) || 0,
        is_shallow: said.isShallow === true,
        crash: String(said.crash ?? "").slice(0, 2000),
        stack: this.stack,
      };
      wait(READING_S, "it takes too long to read what your program printed");
      const [stdout, stderr] = [joined(this.out), joined(this.err)];
      ask({ what: "ran", facts: whole, stdout, stderr });
    }
  }
  const joined = ({ pieces, bytes }) => {
    const whole = new Uint8Array(bytes);
    let at = 0;
    for (const piece of pieces) whole.set(piece, at), (at += piece.length);
    return whole;
  };
  const replaceRunner = () => {
    runner.worker.terminate();
    startRunner();
  };
  const stopRun = () => {
    if (!run) return;
    clearTimeout(run.timer);
    run = undefined;
    replaceRunner();
  };

  const hear = {
    run(worker, data) {
      if (worker !== runner.worker || typeof data !== "object" || data === null) return;
      if (data.what === "ready") runner.ready();
      else if (data.what === "broken" && !run?.began) {
        runner.isBroken = true;
        if (run) fail(NO_PYTHON, String(data.reason));
      } else if (!run?.began) return;
      else if (data.what === "out") run.keep(run.out, data.bytes);
      else if (data.what === "err") run.keep(run.err, data.bytes);
      else if (data.what === "frame") run.frame(data.bytes);
      else if (data.what === "where") run.where(data.bytes);
      else if (data.what === "late") run.late(TIME);
      else if (data.what === "done") run.end({ ...data.facts, limit: "" }, data.facts?.isWorn !== false);
      else if (data.what === "broken") run.end({ crash: String(data.reason) }, true);
    },
    judge(worker, data) {
      if (worker !== judge || (data.turn !== turn && !["ready", "broken"].includes(data.what))) return;
      clearTimeout(patience);
      if (data.what === "ready") say({ what: "ready" });
      else if (data.what === "run") {
        say({ what: "running", id: data.id, title: data.title, seconds: data.seconds });
        run = new Run(data);
        run.begin();
      } else if (data.what === "call") run?.call(data.told);
      else if (data.what === "breach") run?.end({}, true);
      else if (data.what === "lines") say({ what: "lines", lines: data.lines });
      else if (data.what === "told") {
        say({ what: "told", told: data.told });
        replaceRunner(); // the next check gets a worker that no program has seen
      } else if (data.what === "refused") say({ what: "refused", reason: data.reason });
      else if (data.what === "failed")
        fail("the checker itself failed; reload the page, and tell the course if it happens again", data.detail);
      else if (data.what === "broken") fail("the judge doesn't run in this browser", data.reason);
    },
  };

  const deeds = {
    async open({ files }) {
      const before = ["pyodide.asm.js", "pyodide.js", "start.js"].flatMap((name) => [files[name], "\n"]);
      const script = (name) => URL.createObjectURL(new Blob([...before, files[name]]));
      const { kit, child, difference, stdlib, lock } = files;
      parts = { kit, child, difference, scripts: { run: script("run.js"), judge: script("judge.js") } };
      parts.shared = Promise.all([inflated(files.snapshot), inflated(files.wasm).then(WebAssembly.compile)]).then(
        ([snapshot, module]) => ({ snapshot, module, stdlib, lock }),
      );
      startJudge();
      startRunner();
      await parts.shared.catch((error) => {
        parts = undefined; // nothing is started again from files like these
        throw error;
      });
    },
    check({ files }) {
      wait(READING_S, "it takes too long to read your files");
      turn += 1;
      ask({ what: "check", files });
    },
    stop() {
      clearTimeout(patience);
      turn += 1;
      stopRun();
    },
  };
  addEventListener("message", ({ data, source }) => {
    if (source !== parent) return;
    Promise.resolve(deeds[data.what](data)).catch((error) => fail(NO_PYTHON, String(error)));
  });
  say({ what: "open" });
})();
