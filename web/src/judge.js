// The worker with the judge (grader/site/judge.py). No word of a student's is run here; room.js ends it if it takes
// too long to read one.
"use strict";
(() => {
  let python, desk, turn;
  const post = self.postMessage.bind(self);
  const send = (message) => post({ ...message, turn }); // room.js drops what belongs to a check that was stopped

  const boot = async ({ parts, difference, kit }) => {
    const memory = await inflated(difference);
    const [words, others] = [memory, parts.snapshot].map((bytes) => new BigUint64Array(bytes.buffer)); // whole pages
    for (let at = 0; at < others.length; at += 1) words[at] ^= others[at];
    python = await startPython(parts, memory);
    python.unpackArchive(kit, "zip", { extractDir: "/kit" });
    desk = python.pyimport("grader.site.judge").Desk();
    send({ what: "ready" });
  };

  const goOn = () => {
    const asked = desk.work.next();
    send({ what: "lines", lines: JSON.parse(desk.work.lines()) });
    if (!asked) return send({ what: "told", told: JSON.parse(desk.told()) });
    const { payload, stdin } = desk.work.case;
    send({ what: "run", ...JSON.parse(asked), told: payload.toJs(), stdin: stdin.toJs() });
  };

  const deeds = {
    boot,
    check({ files }) {
      const reason = desk.begin(python.toPy(files));
      reason ? send({ what: "refused", reason }) : goOn();
    },
    frame({ bytes }) {
      const answer = desk.work.case.hear(python.toPy(bytes));
      if (answer === undefined) send({ what: "breach" });
      else if (answer.length) send({ what: "call", told: answer.toJs() });
    },
    ran({ facts, stdout, stderr }) {
      desk.work.ran(JSON.stringify(facts), python.toPy(stdout), python.toPy(stderr));
      goOn();
    },
  };

  self.addEventListener("message", async ({ data }) => {
    try {
      turn = data.turn;
      await deeds[data.what](data);
    } catch (error) {
      send({ what: "failed", detail: String(error?.message ?? error) });
    }
  });
})();
