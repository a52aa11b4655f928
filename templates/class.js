"use strict";
// The class page: a matrix that draws only the rows in sight, sorted and filtered as asked.
(() => {
  const data = JSON.parse(document.getElementById("class").textContent);
  const host = document.getElementById("matrix");
  const filters = document.getElementById("filters");
  const shown = document.getElementById("shown");
  const [ID, FOLDER, POINTS, MOST, MARKS, FINDINGS, NAME] = [0, 1, 2, 3, 4, 5, 6];
  const name = (row) => row[NAME] || row[ID];
  const SPARE = 8;
  const order = { key: null, down: false };
  for (const row of data.rows) row[MARKS] = row[MARKS] ? row[MARKS].split(" ") : [];
  let rows = data.rows;
  let height = 30;
  let drawn = [-1, -1];
  let lines = new Map();

  const make = (name, attributes = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const number = (amount) => String(Math.round(amount * 100) / 100);
  const link = (row) => `${encodeURIComponent(row[FOLDER])}/${data.page}`;

  const heads = [["id", "Submission"], ["points", "Points"], ["findings", "Findings"], ...data.columns.map(([id, title], place) => [place, id, title])];
  let cases = data.columns.map((_, place) => place);
  const headOf = ([key, text, title], place) => {
    const button = make("button", { type: "button", title: `Sort by ${title || text}` }, make("span", {}, text));
    button.addEventListener("click", () => sort(key));
    const head = make("th", { scope: "col", class: place < 3 ? `fixed-${place}` : "case-head", "data-key": key }, button);
    if (place >= 3) head.append(make("span", { class: "rate", title: `${title}: passed by` }, `${Math.round(100 * data.columns[key][2])}%`));
    return head;
  };
  const headNodes = heads.map(headOf);
  const headRow = make("tr", {}, ...headNodes);
  const body = make("tbody");
  const table = make("table", { class: "grid", "aria-rowcount": data.rows.length + 1 },
    make("caption", { class: "unseen" }, "Verdict of every submission in every case"), make("thead", {}, headRow), body);
  host.append(table);

  const cell = (row, place) => {
    const verdict = row[MARKS][place];
    const meaning = data.verdicts[verdict];
    if (!meaning) return make("td", { class: "none" }, make("span", { class: "unseen" }, "not run"));
    const title = `${name(row)}, ${data.columns[place][1]}: ${meaning}`;
    return make("td", {}, make("a", { class: `mark v-${verdict}`, href: `${link(row)}#case-${place + 1}`, title, tabindex: "-1" }, verdict));
  };
  const line = (row, index) => {
    const cells = cases.map((place) => cell(row, place));
    return make("tr", { "aria-rowindex": index + 2 },
      make("th", { scope: "row", class: "fixed-0" }, make("a", { href: link(row), title: row[ID] }, name(row))),
      make("td", { class: "num fixed-1" }, `${number(row[POINTS])} / ${number(row[MOST])}`),
      make("td", { class: "num fixed-2" }, row[FINDINGS] ? String(row[FINDINGS]) : ""), ...cells);
  };
  const spacer = () => make("tr", { class: "spacer", "aria-hidden": "true" }, make("td", { colspan: heads.length }));
  const [above, below] = [spacer(), spacer()];
  body.append(above, below);

  function draw(all) {
    const top = Math.max(0, Math.floor(host.scrollTop / height) - SPARE);
    const end = Math.min(rows.length, Math.ceil((host.scrollTop + host.clientHeight) / height) + SPARE);
    const [from, to] = all === true ? [0, rows.length] : [top, end];
    if (drawn[0] === from && drawn[1] === to) return;
    drawn = [from, to];
    const kept = new Map();
    for (let index = from; index < to; index++) kept.set(index, lines.get(index) || line(rows[index], index));
    for (const [index, node] of lines) if (!kept.has(index)) node.remove();
    lines = kept;
    above.firstChild.style.height = `${from * height}px`;
    below.firstChild.style.height = `${(rows.length - to) * height}px`;
    let after = below;
    for (const node of [...kept.values()].reverse()) {
      if (node.nextSibling !== after) body.insertBefore(node, after);
      after = node;
    }
  }

  const fresh = () => { drawn = [-1, -1]; draw(); };

  const RANK = [...Object.keys(data.verdicts), "-"];
  const value = (row) => {
    if (order.key === "id") return name(row);
    if (order.key === "points") return row[MOST] ? row[POINTS] / row[MOST] : 0;
    if (order.key === "findings") return row[FINDINGS];
    return RANK.indexOf(row[MARKS][order.key]);
  };
  const letters = new Intl.Collator("en", { numeric: true }); // localeCompare would make one for every comparison
  const compare = (one, other) => {
    const [a, b] = [value(one), value(other)];
    const way = typeof a === "string" ? letters.compare(a, b) : a - b;
    return (order.down ? -way : way) || letters.compare(one[ID], other[ID]);
  };

  function sort(key) {
    order.down = order.key === key ? !order.down : key !== "id" && key !== "points";
    order.key = key;
    for (const head of headRow.children) {
      if (head.dataset.key === String(key)) head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
    apply();
  }

  function apply() {
    const wanted = Object.fromEntries(new FormData(filters));
    const text = (wanted.text || "").toLowerCase();
    const place = wanted.case === "" ? null : Number(wanted.case);
    const fits = (row) => {
      if (text && !`${row[ID]} ${name(row)}`.toLowerCase().includes(text)) return false;
      if (wanted.imperfect && row[POINTS] >= row[MOST]) return false;
      if (!wanted.verdict) return place === null || row[MARKS][place] !== "-";
      return place === null ? row[MARKS].includes(wanted.verdict) : row[MARKS][place] === wanted.verdict;
    };
    rows = data.rows.filter(fits).sort(compare);
    table.setAttribute("aria-rowcount", rows.length + 1);
    shown.textContent = `${rows.length} of ${data.rows.length} submissions`;
    host.scrollTop = 0;
    for (const node of lines.values()) node.remove();
    lines.clear();
    fresh();
  }

  // Arrow keys move between the links of the matrix; rows out of sight are brought into it.
  function move(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const row = document.activeElement.closest?.("#matrix tbody tr");
    if (!step || !row) return;
    event.preventDefault();
    const cells = [...row.querySelectorAll("a")];
    const column = Math.max(0, Math.min(cells.length - 1, cells.indexOf(document.activeElement) + step[1]));
    const index = Math.max(0, Math.min(rows.length - 1, Number(row.getAttribute("aria-rowindex")) - 2 + step[0]));
    const top = index * height;
    if (top < host.scrollTop) host.scrollTop = top;
    if (top + 2 * height + headRow.offsetHeight > host.scrollTop + host.clientHeight) host.scrollTop = top + 2 * height + headRow.offsetHeight - host.clientHeight;
    draw();
    lines.get(index)?.querySelectorAll("a")[column]?.focus({ preventScroll: true });
  }
  host.addEventListener("keydown", move);

  const hardest = document.getElementById("hardest");
  hardest.addEventListener("click", () => {
    const isOn = hardest.getAttribute("aria-pressed") !== "true";
    hardest.setAttribute("aria-pressed", String(isOn));
    cases = data.columns.map((_, place) => place);
    if (isOn) cases.sort((one, other) => data.columns[one][2] - data.columns[other][2]);
    headRow.append(...cases.map((place) => headNodes[place + 3]));
    apply();
  });
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(button.dataset.copy); button.firstChild.textContent = "Copied"; }
      catch { button.firstChild.textContent = "Copying is not allowed here"; }
    });
  }
  filters.hidden = false;
  filters.addEventListener("input", apply);
  filters.addEventListener("reset", () => setTimeout(apply));
  filters.addEventListener("submit", (event) => event.preventDefault());
  let waiting = 0;
  host.addEventListener("scroll", () => {
    if (!waiting) waiting = requestAnimationFrame(() => { waiting = 0; draw(); });
  });
  addEventListener("resize", fresh);
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const fold of folded) fold.open = true;
    host.scrollTop = 0;
    draw(true);
  });
  addEventListener("afterprint", () => { for (const fold of folded) fold.open = false; fresh(); });
  sort("id");
  const first = body.querySelector("tr:not(.spacer)");
  if (first && first.offsetHeight) { height = first.offsetHeight; fresh(); }
})();
