"use strict";
// The submission page: filters and folds the cases, starts a player when its case is opened.
(() => {
  const cases = [...document.querySelectorAll(".case")];
  const groups = [...document.querySelectorAll(".group")];
  const tools = document.querySelector("#cases .tools");

  const AHEAD = 400_000; // letters of scenes that are unpacked before anybody asks, so that paper has them
  const packed = (id) => JSON.parse(document.getElementById(id)?.textContent || '""');
  const inflate = async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).text();
  };
  // The player and its style come with the first drawing; the page's content policy knows both.
  const load = async () => {
    for (const [name, text] of Object.entries(JSON.parse(await inflate(packed("player"))))) {
      const node = document.createElement(name);
      node.textContent = text;
      document.head.append(node);
    }
    return (await inflate(packed("scenes"))).split("\n");
  };
  let scenes = null;
  const ready = async () => { scenes ||= load().then((lines) => { scenes.lines = lines; }); await scenes; };
  const show = (host) => {
    try { MazePlayer.show(host, JSON.parse(scenes.lines[Number(host.dataset.scene)])); }
    catch (error) { fail(host, error); }
  };
  const fail = (host, error) => { host.textContent = `The drawing could not be shown: ${error.message}`; };
  const start = (root, frame) => {
    for (const host of root.querySelectorAll(".player")) {
      host.started ||= ready().then(() => show(host), (error) => fail(host, error));
      if (frame !== undefined) host.started.then(() => host.player?.jump(frame));
    }
  };
  // Paper doesn't wait: what is unpacked by now is drawn at once.
  const startNow = (root) => {
    for (const host of root.querySelectorAll(".player")) {
      if (host.started || !scenes?.lines) continue;
      host.started = Promise.resolve();
      show(host);
    }
  };
  for (const entry of cases) {
    entry.addEventListener("toggle", () => entry.open && start(entry));
    if (entry.open) start(entry);
  }

  const reveal = () => {
    const [, name, frame] = /^#((?:case|alike)-\d+)(?:-frame-(\d+))?$/.exec(location.hash) || [];
    const target = name && document.getElementById(name);
    if (!target) return;
    target.hidden = false;
    target.open = true;
    for (let box = target.parentElement?.closest("details"); box; box = box.parentElement.closest("details")) {
      box.hidden = false;
      box.open = true;
    }
    (target.querySelector("summary") || target).focus({ preventScroll: true });
    target.scrollIntoView({ block: "start" });
    if (frame) start(target, Number(frame));
    // Boards that are drawn above it push it down.
    Promise.all([...document.querySelectorAll(".player")].map((host) => host.started)).then(() => target.scrollIntoView({ block: "start" }));
  };
  addEventListener("hashchange", reveal);
  reveal();

  if (tools) {
    tools.hidden = false;
    const status = tools.querySelector("[data-status]");
    tools.addEventListener("click", (event) => {
      const { show, fold } = event.target.dataset;
      if (show) {
        for (const button of tools.querySelectorAll("[data-show]"))
          button.setAttribute("aria-pressed", String(button === event.target));
        for (const entry of cases) entry.hidden = show !== "all" && entry.dataset.outcome !== show;
        for (const group of groups) group.hidden = !group.querySelector(".case:not([hidden])");
        status.textContent = `${cases.filter((entry) => !entry.hidden).length} of ${cases.length} cases shown`;
      }
      if (fold) for (const entry of [...groups, ...cases]) if ("open" in entry) entry.open = fold === "open";
    });
  }

  const size = packed("scenes").length;
  if (size && size < AHEAD) setTimeout(() => ready().catch(() => {}));
  let opened = [];
  addEventListener("beforeprint", () => {
    const alone = cases.filter((entry) => "open" in entry && entry.dataset.outcome !== "passed" && !entry.closest(".group"));
    opened = [...groups, ...alone].filter((entry) => !entry.open);
    for (const entry of opened) { entry.open = true; startNow(entry); }
  });
  addEventListener("afterprint", () => { for (const entry of opened) entry.open = false; });
})();
