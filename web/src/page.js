// The page: files, editor, what is kept, and the list of cases. It runs no Python; that is in a frame without an origin
// (room.js), to which it passes the bytes of everything, so that nothing in there needs the network.
import { openEditor } from "./editor.js";
import { packed, unpacked } from "./packing.js";

const MOST_FILE_BYTES = 8 << 20;
const PREFIX = "maze-grader:";
const find = (name) => document.querySelector(`[data-${name}]`);
const state = { files: new Map(), current: "", link: "", isChanged: false, isReady: false, isBusy: false };
let facts, room, editor, saving;

// What came with a link has a place of its own, so that it never overwrites one's own work.
const kept = {
  place: () => PREFIX + facts.name + (state.link && ":link"),
  read: () => {
    try {
      const found = JSON.parse(localStorage.getItem(kept.place()));
      return found?.link === state.link || !state.link ? found : null;
    } catch {
      return null; // no storage here, or not ours
    }
  },
  write: () => {
    clearTimeout(saving);
    if (!facts || !state.isChanged) return; // another tab may have written since
    state.isChanged = false;
    const texts = [...state.files].filter(([, file]) => file.text !== null).map(([name, file]) => [name, file.text]);
    try {
      localStorage.setItem(kept.place(), JSON.stringify({ texts, current: state.current, link: state.link }));
    } catch {
      find("away").textContent = "This browser keeps nothing: download your program before you leave.";
    }
  },
  soon: () => {
    state.isChanged = true;
    clearTimeout(saving);
    saving = setTimeout(kept.write, 300);
  },
  now: () => {
    state.isChanged = true;
    kept.write();
  },
};

const link = async (words) => {
  const address = `${location.href.split("#")[0]}#${new URLSearchParams({ a: facts.name, ...words })}`;
  try {
    await navigator.clipboard.writeText(address);
    say("The link is copied. Whoever opens it sees what is in it now; it goes through no server.");
  } catch {
    location.hash = address.split("#")[1];
    say("The link is in the address bar.");
  }
};

const asText = (bytes) => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null; // kept as bytes; the check says what is wrong with them
  }
};
const put = (name, bytes) => state.files.set(name, { bytes, text: asText(bytes) });
const putText = (name, text) => state.files.set(name, { bytes: null, text });
const bytesOf = (file) => file.bytes ?? new TextEncoder().encode(file.text);
const first = () => facts.files[0].name;

const show = (name) => {
  state.current = state.files.has(name) ? name : ([...state.files.keys()][0] ?? "");
  const file = state.files.get(state.current);
  find("editor").hidden = file?.text === null;
  if (file && file.text !== null) editor.open(file.text);
  const tabs = find("tabs");
  tabs.replaceChildren(
    ...[...state.files].map(([each, { text }]) => {
      const tab = document.createElement("button");
      tab.type = "button";
      tab.textContent = text === null ? `${each} (not text)` : each;
      tab.setAttribute("aria-pressed", String(each === state.current));
      tab.onclick = () => show(each);
      return tab;
    }),
  );
  tabs.hidden = state.files.size < 2 && file?.text !== null;
  act("remove").hidden = state.files.size < 2;
};
const take = async (list) => {
  const given = [...list].filter((file) => file.size <= MOST_FILE_BYTES);
  if (!given.length) return say("Nothing was taken: a file may have 8 MiB.");
  const isArchive = given.length === 1 && /\.(zip|tar|gz|tgz)$/i.test(given[0].name);
  if (isArchive) state.files.clear();
  else for (const [name, file] of state.files) if (file.text === null) state.files.delete(name);
  const isOnly = given.length === 1 && facts.files.length === 1 && /\.py$/i.test(given[0].name);
  for (const file of given) put(isOnly ? first() : file.name, new Uint8Array(await file.arrayBuffer()));
  show(isOnly ? first() : given[0].name);
  kept.now();
  say(isOnly && given[0].name !== first() ? `${given[0].name} is taken as ${first()}.` : "Taken.");
};
const load = (shared, link = "") => {
  state.files.clear();
  state.link = link;
  state.isChanged = false;
  find("shared").hidden = !shared;
  const saved = kept.read() ?? shared;
  const texts = Array.isArray(saved?.texts) ? saved.texts : [];
  for (const one of texts.slice(0, 50))
    if (Array.isArray(one) && typeof one[1] === "string") putText(String(one[0]).split("/").pop(), one[1]);
  if (!state.files.size) for (const { name, starter } of facts.files) if (starter !== null) putText(name, starter);
  if (!state.files.size) putText(first(), "");
  show(saved?.current ?? first());
};

const fetched = async (path, as) => {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer[as]();
};
let arrived = 0;
const large = async (path) => {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  const counted = new TransformStream({
    transform(piece, out) {
      arrived += piece.length;
      say(`Python is starting: ${Math.min(99, Math.floor((100 * arrived) / facts.weight))} % is there …`);
      out.enqueue(piece);
    },
  });
  return new Uint8Array(await new Response(answer.body.pipeThrough(counted)).arrayBuffer());
};
const LARGE = { wasm: "python.wasm.gz", snapshot: "memory.gz", difference: "judge.gz", stdlib: "python_stdlib.zip" };
const TEXTS = ["python/pyodide.asm.js", "python/pyodide.js", "start.js", "run.js", "judge.js"];
const named = async (promises) => Object.fromEntries(await Promise.all(promises));
let common; // what all assignments need
const parts = async ({ name, child }) => {
  common ??= named([
    ...Object.entries(LARGE).map(async ([part, path]) => [part, await large(`python/${path}`)]),
    ...TEXTS.map(async (path) => [path.split("/").pop(), await fetched(path, "text")]),
    fetched("python/lock.json", "text").then((lock) => ["lock", lock]),
  ]);
  const kit = fetched(`${name}/judge.zip`, "arrayBuffer");
  return { ...(await common), kit: await kit, child };
};
const openRoom = async () => {
  closeRoom();
  const wanted = facts;
  const files = parts(wanted);
  files.catch(() => {}); // told once the room asks for them
  const html = await fetched("room.html", "text");
  if (wanted !== facts) return;
  room = document.createElement("iframe");
  room.hidden = true;
  room.title = "Where Python runs";
  room.sandbox = "allow-scripts";
  room.srcdoc = html;
  room.files = files;
  document.body.append(room);
};
const failed = (error) => say(`Python can't be loaded: ${error.message}`);
const closeRoom = () => {
  room?.remove();
  room = undefined;
  setReady(false);
};
const tell = (message) => room?.contentWindow.postMessage(message, "*");
addEventListener("message", ({ data, source }) => {
  if (room && source === room.contentWindow) heard[data.what]?.(data);
});
const heard = {
  open: () => {
    const opened = room;
    opened.files.then((files) => opened === room && tell({ what: "open", files }), failed);
  },
  ready: () => {
    setReady(true);
    if (!state.isBusy && !find("cases").querySelector(".badge.is-done")) say("Ready.");
  },
  running: ({ id, title, seconds }) => {
    rowOf(id, title).className = "is-running";
    say(`Running ${title} … (at most ${seconds} s)`);
  },
  lines: ({ lines }) => lines.forEach(showLine),
  told: ({ told }) => {
    setBusy(false);
    say(told.summary);
    find("advice").hidden = false;
    find("report").hidden = false;
    find("page").srcdoc = told.page;
    told.results.cases.forEach(showReason);
    document.dispatchEvent(new CustomEvent("checked", { detail: told.results }));
  },
  refused: ({ reason }) => {
    setBusy(false);
    say(`This can't be run: ${reason}`);
  },
  failed: ({ reason, detail }) => {
    setBusy(false);
    setReady(false);
    console.warn(detail);
    say(`Sorry: ${reason}.`);
  },
};

const say = (text) => (find("status").textContent = text);
const act = (name) => document.querySelector(`[data-do="${name}"]`);
const setReady = (isReady) => {
  state.isReady = isReady;
  setBusy(state.isBusy && isReady);
};
const setBusy = (isBusy) => {
  state.isBusy = isBusy;
  act("check").disabled = isBusy || !state.isReady;
  act("stop").hidden = !isBusy;
  if (!isBusy) for (const row of find("cases").querySelectorAll(".is-running")) row.className = "";
};
const rowOf = (id, title) => {
  const known = [...find("cases").children].find((row) => row.dataset.id === id);
  if (known) return known;
  const row = document.createElement("li");
  row.dataset.id = id;
  row.innerHTML = '<span class="badge">…</span><span></span><span class="dim small"></span><p class="why small" hidden></p>';
  row.children[1].textContent = title;
  find("cases").append(row);
  return row;
};
const showLine = ({ id, title, verdict, sign, says }) => {
  const row = rowOf(id, title);
  row.className = "";
  row.children[0].className = `badge is-done v-${verdict}`;
  row.children[0].textContent = `${sign} ${verdict}`;
  row.children[2].textContent = says;
};
const showReason = ({ id, title, outcome, message }) => {
  const why = rowOf(id, title).children[3];
  why.textContent = message;
  why.hidden = !message || outcome === "passed";
};
const listCases = (cases) => {
  find("cases").replaceChildren();
  for (const { id, title } of cases) rowOf(id, title);
};
const begin = () => {
  kept.write();
  setBusy(true);
  listCases(facts.cases);
  say("Reading your program …");
  const { top } = find("status").getBoundingClientRect();
  if (top < 0 || top > innerHeight * 0.8) document.getElementById("result-title").scrollIntoView();
};
const check = () => {
  if (!state.isReady || state.isBusy) return;
  begin();
  const files = Object.fromEntries([...state.files].map(([name, file]) => [name, bytesOf(file)]));
  tell({ what: "check", files });
};

const deeds = {
  check,
  stop: () => {
    tell({ what: "stop" });
    setBusy(false);
    say("Stopped.");
  },
  choose: () => find("files").click(),
  download: () => {
    const file = state.files.get(state.current);
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(new Blob([bytesOf(file)], { type: "application/octet-stream" }));
    anchor.download = state.current;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
  },
  remove: () => {
    if (!confirm(`Take ${state.current} away?`)) return;
    state.files.delete(state.current);
    show();
    kept.now();
    act("choose").focus(); // the button may be gone
  },
  share: async () => {
    const texts = [...state.files].filter(([, file]) => file.text !== null).map(([name, file]) => [name, file.text]);
    await link({ solution: await packed({ texts, current: state.current }) });
  },
  adopt: () => {
    state.link = "";
    find("shared").hidden = true;
    kept.now();
    history.replaceState(null, "", `#a=${facts.name}`);
  },
  mine: () => {
    load();
    history.replaceState(null, "", `#a=${facts.name}`);
  },
  reset: () => {
    if (!confirm("Throw your program away and begin again with the starter?")) return;
    try {
      localStorage.removeItem(kept.place());
    } catch {
      // nothing was kept
    }
    deeds.mine();
  },
};

const choose = async (name) => {
  kept.write();
  facts = await fetched(`${name}/assignment.json`, "json");
  document.title = `${facts.title} · check your solution`;
  find("title").textContent = facts.title;
  find("about").textContent = facts.about;
  for (const each of document.querySelectorAll("[data-assignment]"))
    each.dataset.assignment === name ? each.setAttribute("aria-current", "page") : each.removeAttribute("aria-current");
  document.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  find("links").replaceChildren(
    ...facts.links.flatMap(([href, text]) => [Object.assign(document.createElement("a"), { href, textContent: text }), " · "]).slice(0, -1),
  );
  find("report").hidden = find("advice").hidden = true;
  listCases(facts.cases);
  say("Python is starting …");
  openRoom().catch(failed);
};
const open = async () => {
  const words = new URLSearchParams(location.hash.slice(1));
  const names = [...document.querySelectorAll("[data-assignment]")].map((each) => each.dataset.assignment);
  const name = names.includes(words.get("a")) ? words.get("a") : names[0];
  try {
    const solution = words.has("solution") ? await unpacked(words.get("solution")).catch(() => undefined) : null;
    if (facts?.name !== name) await choose(name);
    if (solution) load(solution, words.get("solution"));
    else load();
    const isElsewhere = words.has("a") && words.get("a") !== name;
    const isDamaged = solution === undefined;
    find("trouble").hidden = !isElsewhere && !isDamaged;
    find("trouble").textContent = isDamaged
      ? "This link is damaged: what it carried can't be read. Ask for it again; your own work is untouched."
      : "This link is for an assignment that isn't on this page.";
  } catch (error) {
    say(`This page can't be loaded: ${error.message}`);
  }
};

editor = openEditor(find("editor"), {
  label: "Your program",
  check: deeds.check,
  changed: (text) => {
    const file = state.files.get(state.current);
    if (!file || file.text === text) return;
    file.bytes = null;
    file.text = text;
    kept.soon();
  },
});
for (const button of document.querySelectorAll("[data-do]")) button.onclick = () => deeds[button.dataset.do]();
find("files").onchange = ({ target }) => take(target.files).then(() => (target.value = ""));
const isFiles = (event) => event.dataTransfer?.types.includes("Files");
addEventListener("dragover", (event) => {
  if (!isFiles(event)) return;
  event.preventDefault();
  find("editor").classList.add("is-target");
});
addEventListener("dragleave", () => find("editor").classList.remove("is-target"));
addEventListener("drop", (event) => {
  find("editor").classList.remove("is-target");
  if (!isFiles(event)) return;
  event.preventDefault();
  take(event.dataTransfer.files);
}, true);
addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && !event.defaultPrevented) deeds.check();
});
addEventListener("pagehide", kept.write);
addEventListener("storage", ({ key }) => {
  if (facts && key === kept.place() && !state.isChanged && !state.link) load(); // another tab has gone on with it
});
document.addEventListener("visibilitychange", kept.write);
document.querySelector(".skip").onclick = (event) => {
  event.preventDefault(); // the address says which assignment is open
  editor.focus();
};
addEventListener("hashchange", open);
navigator.serviceWorker?.register("service.js").then(
  () => navigator.serviceWorker.ready.then(() => (find("away").textContent = "It works without a network from now on.")),
  () => {},
);
open();
