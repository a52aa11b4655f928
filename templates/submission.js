"use strict";
// The submission page: filters and folds the cases, starts a player when its case is opened.
(() => {
  const scenes = JSON.parse(document.getElementById("scenes").textContent);
  const cases = [...document.querySelectorAll(".case")];
  const groups = [...document.querySelectorAll(".group")];
  const tools = document.querySelector("#cases .tools");

  const AHEAD = 400_000; // bytes of scenes that are unpacked before anybody asks, so that paper has them
  const unpacked = new Map();
  const unpack = async (place) => {
    if (!unpacked.has(place)) unpacked.set(place, await MazePlayer.unpack(scenes[place]));
    return unpacked.get(place);
  };
  const start = (root, frame) => {
    for (const host of root.querySelectorAll(".player")) {
      host.started ||= MazePlayer.start(host, unpack(Number(host.dataset.scene)));
      if (frame !== undefined) host.started.then(() => host.player?.jump(frame));
    }
  };
  // Paper doesn't wait: what is unpacked by now is drawn at once.
  const startNow = (root) => {
    for (const host of root.querySelectorAll(".player")) {
      const scene = unpacked.get(Number(host.dataset.scene));
      if (host.started || !scene) continue;
      host.started = Promise.resolve();
      MazePlayer.show(host, scene);
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

  const size = scenes.reduce((sum, scene) => sum + (scene.packed?.length ?? 0), 0);
  if (size < AHEAD) setTimeout(() => scenes.forEach((_, place) => unpack(place).catch(() => {})));
  let opened = [];
  addEventListener("beforeprint", () => {
    const alone = cases.filter((entry) => "open" in entry && entry.dataset.outcome !== "passed" && !entry.closest(".group"));
    opened = [...groups, ...alone].filter((entry) => !entry.open);
    for (const entry of opened) { entry.open = true; startNow(entry); }
  });
  addEventListener("afterprint", () => { for (const entry of opened) entry.open = false; });
})();
