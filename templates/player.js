"use strict";
// The player: draws a scene as SVG and moves through its frames, which are deltas with an undo log.
const MazePlayer = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const FACINGS = ["", "N", "E", "S", "W"];
  const NAMES = { N: "north", E: "east", S: "south", W: "west" };
  const COMPASS = { N: [0, -1], NE: [1, -1], E: [1, 0], SE: [1, 1], S: [0, 1], SW: [-1, 1], W: [-1, 0], NW: [-1, -1] };
  const SPEEDS = [1, 2, 4, 8, 16, 32, 60, 240, 1000];
  const ICONS = {
    play: "M3 1.5v13l11-6.5z", pause: "M3 2h3.5v12H3zM9.5 2H13v12H9.5z",
    first: "M2 2h2v12H2zM14 2v12L5 8z", back: "M12 2v12L3 8z", on: "M4 2v12l9-6z", last: "M12 2h2v12h-2zM2 2v12l9-6z",
  };
  const NARROW = matchMedia("(max-width: 40rem)").matches;
  const EDGE = 0.8; // left and above a board, for the numbers of columns and rows
  const PATH_KEPT = 300;
  const OPEN_SHOWN = 12;
  const WHOLE = NARROW ? 14 : 32; // squares up to which a board is shown whole; with arrows half as many
  const WINDOW = NARROW ? 12 : 24; // squares of a larger one that are shown round the walker

  const svg = (name, attributes = {}, ...children) => {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const html = (name, attributes = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };

  const icon = (name) => svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

  // A track knows its state at one frame and moves it forwards and back.
  class Track {
    constructor(data, first) {
      this.title = data.title;
      this.first = data.first;
      this.omitted = data.omitted;
      this.frames = [...(first ? first.frames.slice(0, data.shared) : []), ...data.frames];
      const count = this.frames.length;
      this.at = new Int32Array(count);
      this.facing = new Uint8Array(count);
      this.label = new Array(count);
      this.frames.forEach(([at = -1, facing = 0, label = ""], place) => {
        this.at[place] = at;
        this.facing[place] = facing;
        this.label[place] = label;
      });
      this.hasLabels = this.label.some(Boolean);
      this.looks = new Map();
      this.undo = [];
      this.place = -1;
    }
    get last() { return this.first + this.frames.length - 1; }
    clamp(number) { return Math.min(Math.max(number - this.first, 0), this.frames.length - 1); }

    // Moves to a place and gives the squares whose look changed on the way.
    seek(place) {
      const dirty = new Set();
      while (this.place < place) {
        const marks = this.frames[++this.place][3] || [];
        const back = [];
        for (let part = 0; part < marks.length; part += 2) {
          back.push(marks[part], this.looks.get(marks[part]) || 0);
          this.looks.set(marks[part], marks[part + 1]);
          dirty.add(marks[part]);
        }
        this.undo[this.place] = back;
      }
      while (this.place > place) {
        const back = this.undo[this.place--];
        for (let part = back.length - 2; part >= 0; part -= 2) {
          this.looks.set(back[part], back[part + 1]);
          dirty.add(back[part]);
        }
      }
      return dirty;
    }
  }

  const shape = (look, row, column) => {
    const kind = `look look-${look}`;
    const [name] = look.split("-");
    if (name === "disc") return svg("circle", { class: kind, cx: column + 0.5, cy: row + 0.5, r: 0.3 });
    if (name === "square") return svg("rect", { class: kind, x: column, y: row, width: 1, height: 1 });
    const group = svg("g", { class: kind }, svg("rect", { x: column + 0.06, y: row + 0.06, width: 0.88, height: 0.88, rx: name === "face" ? 0.36 : 0.2 }));
    if (name === "face") for (const x of [0.34, 0.66]) group.append(svg("circle", { class: "eye", cx: column + x, cy: row + 0.4, r: 0.1 }));
    return group;
  };

  const hint = (look, row, column) => look === "barred"
    ? svg("path", { class: look, d: `M${column + 0.2} ${row + 0.2}l.6 .6m0 -.6l-.6 .6` })
    : svg("rect", { class: "target", x: column + 0.1, y: row + 0.1, width: 0.8, height: 0.8, rx: 0.1 });

  // A trail may cover thousands of squares: they share one path per row, redrawn when the row changes.
  class Trails {
    constructor(edge) {
      this.edge = edge;
      this.group = svg("g", { class: edge ? "trails outlined" : "trails" });
      this.rows = new Map();
      this.dirty = new Set();
    }
    add(row, column) {
      if (!this.rows.has(row)) this.rows.set(row, new Set());
      this.rows.get(row).add(column);
      this.dirty.add(row);
    }
    remove(row, column) {
      this.rows.get(row).delete(column);
      this.dirty.add(row);
    }
    flush() {
      for (const row of this.dirty) {
        const columns = this.rows.get(row);
        columns.nodes ||= [svg("path", { class: "trail-ground" }), svg("path", { class: "trail-dots" })];
        if (!columns.nodes[0].parentNode) this.group.append(...columns.nodes);
        let [ground, dots] = ["", ""];
        const side = 1 - 2 * this.edge;
        for (const column of columns) {
          ground += `M${column + this.edge} ${row + this.edge}h${side}v${side}h${-side}z`;
          dots += `M${column + 0.5} ${row + 0.5}h0`;
        }
        columns.nodes[0].setAttribute("d", ground);
        columns.nodes[1].setAttribute("d", dots);
      }
      this.dirty.clear();
    }
  }

  // A board is one drawing of the puzzle with one track on it.
  class Board {
    constructor(scene, track, label) {
      this.scene = scene;
      this.track = track;
      this.marks = new Map();
      const scale = scene.squares[0].some(([, , arrows]) => arrows) ? 0.5 : 1;
      const isSmall = Math.max(scene.columns, scene.rows) <= WHOLE * scale;
      const edge = isSmall ? EDGE : 0.1;
      this.whole = [-edge, -edge, scene.columns + edge + 0.1, scene.rows + edge + 0.1];
      this.window = WINDOW * scale;
      this.follows = !isSmall && track.frames.length > 1;
      this.numbers = svg("g");
      this.svg = svg("svg", {
        class: "board", role: "img", "aria-label": label, preserveAspectRatio: "xMidYMid meet", viewBox: this.whole.join(" "),
      });
      this.svg.style.maxWidth = `${Math.max(14, Math.min(38, (scene.columns + edge) * (scene.columns < 7 ? 5.5 : 3.4)))}rem`;
      this.svg.append(svg("rect", { class: "void", width: scene.columns, height: scene.rows }));
      this.ground();
      if (isSmall) this.number(0, 0, scene.columns, scene.rows);
      this.layer = svg("g");
      this.path = svg("polyline", { class: "path" });
      this.other = svg("polyline", { class: "path other" });
      this.fork = svg("circle", { class: "fork", r: 0.42, display: "none" });
      this.probes = svg("g", { class: "probes" });
      this.hints = svg("g", { class: "hints" });
      this.ghost = svg("circle", { class: "ghost", r: 0.44 });
      this.walker = svg("g", { class: "walker" });
      this.body = svg("circle", { r: 0.36 });
      this.nose = svg("path", { class: "nose", d: "M0 -.3L.22 .16L0 .06L-.22 .16Z" });
      this.hand = svg("path", { class: "hand", d: "M-.37 -.12v.3" });
      const here = svg("rect", { class: "here", x: -0.46, y: -0.46, width: 0.92, height: 0.92, rx: 0.12 });
      if (scene.hand) this.walker.append(this.hand);
      this.walker.append(...(track.hasLabels ? [here] : [this.body, this.nose]));
      this.counter = html("span", { class: "label-now" });
      this.svg.append(this.layer, this.path, this.other, this.signs, this.fork, this.probes, this.hints, this.ghost, this.walker, this.numbers);
    }

    ground() {
      const { squares, looks } = this.scene;
      const fills = new Map();
      const arrows = new Map();
      const extras = svg("g");
      this.signs = svg("g"); // above every trail
      const [kinds, which, down, across] = squares;
      which.forEach((place, number) => {
        const [kind, tone, points, text, corner] = kinds[place];
        const [row, column, look] = [down[number], across[number], looks[kind]];
        const flat = look.startsWith("square");
        const under = flat ? look : "square";
        fills.set(under, `${fills.get(under) || ""}M${column} ${row}h1v1h-1z`);
        if (!flat) extras.append(shape(look, row, column));
        if (points) arrows.set(tone, (arrows.get(tone) || "") + points.split(" ").map((point) => this.arrow(row, column, point)).join(""));
        if (corner) this.signs.append(this.text(`sign sign-${tone}`, column + 0.87, row + 0.26, corner));
        if (flat && text) this.signs.append(this.text(`letter letter-${look}${points ? " letter-small" : ""}`, column + (points ? 0.16 : 0.5), row + (points ? 0.27 : 0.68), text));
      });
      for (const [look, d] of fills) this.svg.append(svg("path", { class: `ground ground-${look}`, d }));
      this.trails = new Trails(this.track.hasLabels ? 0.06 : 0);
      this.svg.append(this.trails.group);
      for (const [tone, d] of arrows) this.signs.append(svg("path", { class: `arrows arrows-${tone}`, d }));
      this.svg.append(extras);
    }

    arrow(row, column, point) {
      const way = COMPASS[point];
      if (!way) return "";
      const size = Math.hypot(...way);
      const [x, y] = [way[0] / size, way[1] / size];
      const [cx, cy] = [column + 0.5, row + 0.5];
      const to = (along, aside) => `${(cx + x * along - y * aside).toFixed(3)} ${(cy + y * along + x * aside).toFixed(3)}`;
      return `M${to(0.12, 0)}L${to(0.38, 0)}M${to(0.26, 0.1)}L${to(0.4, 0)}L${to(0.26, -0.1)}`;
    }

    text(kind, x, y, words) { return svg("text", { class: kind, x, y, "text-anchor": "middle" }, words); }

    // Numbers columns and rows above and left of the part that is shown.
    number(left, top, columns, rows) {
      this.numbers.setAttribute("class", `labels${columns > (NARROW ? 6 : 8) ? "" : " labels-few"}${columns > (NARROW ? 6 : 16) ? " labels-many" : ""}`);
      const margin = (width, height) => svg("rect", { class: "margin", x: left - EDGE, y: top - EDGE, width, height });
      this.numbers.replaceChildren(margin(columns + EDGE, EDGE), margin(EDGE, rows + EDGE));
      for (let column = left; column < left + columns; column++) this.numbers.append(this.text("", column + 0.5, top - 0.22, String(column)));
      for (let row = top; row < top + rows; row++) this.numbers.append(this.text("", left - 0.4, row + 0.63, String(row)));
    }

    show(number) {
      const { columns, looks } = this.scene;
      const place = this.track.clamp(number);
      for (const square of this.track.seek(place)) this.mark(square, looks[this.track.looks.get(square)]);
      this.trails.flush();
      const at = this.track.at[place];
      const facing = this.track.facing[place];
      this.walker.setAttribute("display", at < 0 ? "none" : "inline");
      if (at >= 0) this.walker.setAttribute("transform", `translate(${(at % columns) + 0.5} ${Math.floor(at / columns) + 0.5})`);
      for (const part of [this.nose, this.hand]) {
        part.setAttribute("display", facing ? "inline" : "none");
        part.setAttribute("transform", `rotate(${(facing - 1) * 90})`);
      }
      this.point(this.track.frames[place][5] || []);
      this.aim(at);
      if (this.track.hasLabels) this.counter.textContent = [this.scene.label, this.track.label[place] || "?"].filter(Boolean).join(" = ");
      if (this.track.hasLabels) this.path.setAttribute("points", this.trace(this.track, place));
      this.svg.classList.toggle("is-over", number > this.track.last);
    }

    // Shows a window round the walker that moves by its thirds, or the whole board.
    aim(at) {
      if (!this.follows) {
        this.svg.setAttribute("viewBox", this.whole.join(" "));
        if (this.whole[0] > -EDGE) this.numbers.replaceChildren();
      }
      if (!this.follows || at < 0) return;
      const { columns, rows } = this.scene;
      const third = this.window / 3;
      const begin = (value, size) => Math.max(0, Math.min(Math.round(value / third) * third - this.window / 2, size - this.window));
      const [left, top] = [begin(at % columns, columns), begin(Math.floor(at / columns), rows)];
      const [width, height] = [Math.min(columns, this.window), Math.min(rows, this.window)];
      const part = [left - EDGE, top - EDGE, width + EDGE, height + EDGE].join(" ");
      if (this.svg.getAttribute("viewBox") === part) return;
      this.svg.setAttribute("viewBox", part);
      this.number(left, top, width, height);
    }

    // Shows the squares that this frame alone points at.
    point(hints) {
      const parts = [];
      for (let part = 0; part < hints.length; part += 2) {
        const [row, column] = [Math.floor(hints[part] / this.scene.columns), hints[part] % this.scene.columns];
        parts.push(hint(this.scene.looks[hints[part + 1]], row, column));
      }
      this.hints.replaceChildren(...parts);
    }

    mark(square, look) {
      const old = this.marks.get(square);
      if (old && old.look === look) return;
      const [row, column] = [Math.floor(square / this.scene.columns), square % this.scene.columns];
      if (old?.look === "trail") this.trails.remove(row, column);
      old?.node?.remove();
      this.marks.delete(square);
      if (!look) return;
      const node = look === "trail" ? this.trails.add(row, column) : this.layer.appendChild(this.piece(look, row, column));
      this.marks.set(square, { look, node });
    }

    // A piece hides whatever stood on its square before.
    piece(look, row, column) {
      return look.startsWith("square") ? shape(look, row, column) : svg("g", {}, shape("square", row, column), shape(look, row, column));
    }

    // Draws both walks from where they part on this one board; nothing without another track.
    overlay(other, number, fork) {
      this.fork.setAttribute("display", "none");
      this.other.setAttribute("points", other ? this.trace(other, other.clamp(number), other.clamp(fork - 1)) : "");
      if (!this.track.hasLabels) this.path.setAttribute("points", other ? this.trace(this.track, this.track.clamp(number)) : "");
      const at = other ? this.track.at[this.track.clamp(fork - 1)] : -1;
      if (at < 0) return;
      this.fork.setAttribute("display", "inline");
      this.fork.setAttribute("cx", (at % this.scene.columns) + 0.5);
      this.fork.setAttribute("cy", Math.floor(at / this.scene.columns) + 0.5);
    }

    trace(track, place, from = 0) {
      const points = [];
      for (let back = place; back >= from && points.length < PATH_KEPT; back--) {
        const at = track.at[back];
        if (at >= 0) points.push(`${(at % this.scene.columns) + 0.5},${Math.floor(at / this.scene.columns) + 0.5}`);
      }
      return points.join(" ");
    }

    // Shows where the other track stands when it isn't here.
    haunt(other, number) {
      const here = this.track.at[this.track.clamp(number)];
      const there = other ? other.at[other.clamp(number)] : -1;
      const apart = there >= 0 && there !== here;
      this.ghost.setAttribute("display", apart ? "inline" : "none");
      if (apart) {
        this.ghost.setAttribute("cx", (there % this.scene.columns) + 0.5);
        this.ghost.setAttribute("cy", Math.floor(there / this.scene.columns) + 0.5);
      }
    }

    // Draws what was taken up to here, in order, and what waits; gives the latter in the order of the pseudocode.
    search(count) {
      this.probes.replaceChildren();
      const costs = new Map();
      const waiting = new Map();
      const key = (row, column) => row * this.scene.columns + column;
      this.scene.search.slice(0, count).forEach(([row, column, , opened], order) => {
        waiting.delete(key(row, column));
        for (const [r, c, cost, rest] of opened || []) {
          costs.set(key(r, c), [cost, rest]);
          waiting.set(key(r, c), { row: r, column: c, cost, rest, f: cost + rest });
        }
        this.probe(row, column, order === count - 1 ? "probe now" : "probe", order + 1, costs.get(key(row, column)));
      });
      const open = [...waiting.values()].sort((one, other) => one.f - other.f || one.row - other.row || one.column - other.column);
      open.forEach(({ row, column, cost, rest }, place) => this.probe(row, column, place ? "probe open" : "probe open next", "", [cost, rest]));
      return open;
    }

    probe(row, column, kind, order, costs) {
      this.probes.append(svg("rect", { class: kind, x: column + 0.08, y: row + 0.08, width: 0.84, height: 0.84, rx: 0.15 }));
      const tone = kind.replace("probe", "probe-order");
      if (!costs) { this.probes.append(this.text(tone, column + 0.5, row + 0.63, String(order))); return; }
      const [cost, rest] = costs;
      this.probes.append(this.text(tone, column + 0.5, row + 0.58, String(cost + rest)));
      this.probes.append(this.text(`${tone} probe-sum`, column + 0.5, row + 0.83, `${cost}+${rest}`));
      if (order) this.probes.append(this.text(`${tone} probe-place`, column + 0.22, row + 0.28, String(order)));
    }

    words(number) {
      const { track } = this;
      if (!track.frames.length) return "nothing to show";
      const place = track.clamp(number);
      const [, , , , caption = ""] = track.frames[place];
      const parts = [];
      const at = track.at[place];
      if (number > track.last) parts.push(`ended at frame ${track.last}`);
      if (caption) parts.push(caption[0].toUpperCase() + caption.slice(1));
      else if (at >= 0) parts.push(`row ${Math.floor(at / this.scene.columns)}, column ${at % this.scene.columns}`);
      if (!caption && track.facing[place]) parts.push(`facing ${NAMES[FACINGS[track.facing[place]]]}`);
      return parts.join(" · ");
    }
  }

  class Player {
    constructor(host, scene) {
      this.host = host;
      this.scene = scene;
      const tracks = [];
      for (const data of scene.tracks) tracks.push(new Track(data, tracks[0]));
      this.tracks = tracks.filter((track) => track.frames.length);
      this.first = this.tracks.length ? Math.min(...this.tracks.map((track) => track.first)) : 0;
      this.last = this.tracks.length ? Math.max(...this.tracks.map((track) => track.last)) : 0;
      this.number = this.first;
      this.playing = false;
      this.texts = scene.texts && new FrameTexts(scene.texts);
      this.difference = scene.difference ?? (this.texts ? Math.min(this.texts.fork, this.last) : null);
      this.build();
      this.go(this.difference ?? this.first);
      this.figure = this.texts && host.closest(".case-body")?.querySelector(".texts"); // it shows this frame already
    }

    build() {
      const { scene, host } = this;
      const still = new Track({ title: scene.title || "The puzzle", first: 0, omitted: 0, shared: 0, frames: [[]] });
      const shown = this.tracks.length ? this.tracks : [still];
      this.boards = shown.map((track) => new Board(scene, track, `${host.dataset.title}: ${track.title}`));
      this.captions = this.boards.map(() => html("p", { class: "frame-words" }));
      const row = html("div", { class: `boards boards-${this.boards.length}` });
      this.boards.forEach((board, place) => row.append(
        html("figure", { class: place ? "is-actual" : "is-expected" }, html("figcaption", {}, board.track.title, " ", board.counter), board.svg, this.captions[place])));
      host.replaceChildren(row);
      host.tabIndex = 0;
      host.setAttribute("role", "group");
      host.setAttribute("aria-label", `Player: ${host.dataset.title}. Arrow keys step, space plays, Home and End jump, D goes to the first difference.`);
      if (this.last > this.first) this.controls();
      if (scene.search.length) this.searcher();
      this.key();
      this.deeds();
      this.live = html("p", { class: "unseen", "aria-live": "polite" });
      host.append(this.live);
      this.omissions();
    }

    // Says what the signs on the boards are.
    key() {
      const { scene } = this;
      const inset = (kind, edge = 0.1) => svg("rect", { class: kind, x: edge, y: edge, width: 1 - 2 * edge, height: 1 - 2 * edge, rx: 0.15 });
      const outlined = this.boards[0].track.hasLabels;
      const signs = [
        [scene.looks.includes("trail"), outlined ? svg("g", { class: "outlined" }, inset("trail-ground")) : svg("path", { class: "trail-dots", d: "M.5 .5h0" }), "been here"],
        [scene.hand, svg("path", { class: "hand", d: "M.2 .5h.6" }), "left hand"],
        [this.boards.length > 1 && scene.difference !== null, svg("circle", { class: "ghost", cx: 0.5, cy: 0.5, r: 0.42 }), "where the other one is"],
        [this.boards.length > 1 && scene.difference !== null, svg("circle", { class: "fork", cx: 0.5, cy: 0.5, r: 0.38 }), "where they part (one board)"],
        [scene.search.length, inset("probe"), "CLOSED, in the order of the small number"],
        [scene.search.length, inset("probe open"), "OPEN: f, below it g + h"],
        [scene.search.length, inset("probe open next"), "the next one"],
        ...Object.entries(scene.names).map(([look, words]) => [true, look === "target" || look === "barred" ? hint(look, 0, 0) : shape(look, 0, 0), words]),
      ].filter(([used]) => used);
      if (signs.length) this.host.append(html("ul", { class: "key" }, ...signs.map(([, sign, words]) =>
        html("li", {}, svg("svg", { viewBox: "0 0 1 1", "aria-hidden": "true" }, sign), words))));
    }

    // Buttons that copy the puzzle, the command that repeats the case, and a link to this frame.
    deeds() {
      const { host } = this;
      const card = host.closest(".case");
      const bar = html("div", { class: "controls deeds" });
      const offer = (words, text) => {
        const node = this.button(words, `${words}: ${host.dataset.title}`, async () => {
          try { await navigator.clipboard.writeText(text()); node.textContent = "Copied"; }
          catch { node.textContent = "Copying is not allowed here"; }
          setTimeout(() => { node.textContent = words; }, 2000);
        });
        bar.append(node);
      };
      if (this.scene.input) offer("Copy puzzle", () => this.scene.input);
      if (host.dataset.command) offer("Copy command", () => host.dataset.command);
      if (card && this.last > this.first && location.protocol !== "about:") offer("Copy link to this frame", () => `${location.href.split("#")[0]}#${card.id}-frame-${this.number}`);
      const choose = (words, act) => {
        const node = this.button(words, words, () => {
          node.setAttribute("aria-pressed", String(act()));
          this.go(this.number);
        });
        node.setAttribute("aria-pressed", "false");
        bar.append(node);
      };
      if (this.boards.length === 2 && this.scene.difference !== null && this.last > this.first)
        choose("One board", () => { this.isOne = host.classList.toggle("one-board"); return this.isOne; });
      if (this.boards[0].follows)
        choose("Whole board", () => { for (const board of this.boards) board.follows = !board.follows; return !this.boards[0].follows; });
      if (bar.children.length) host.append(bar);
    }

    button(words, label, act) {
      const node = html("button", { type: "button", "aria-label": label, title: label }, words);
      node.addEventListener("click", act);
      return node;
    }

    controls() {
      const { scene } = this;
      const bar = html("div", { class: "controls" });
      this.play = this.button(icon("play"), "Play", () => this.toggle());
      this.play.classList.add("play");
      this.slider = html("input", { type: "range", min: this.first, max: this.last, step: 1, "aria-label": "Frame" });
      this.slider.addEventListener("input", () => { this.pause(); this.later(Number(this.slider.value)); });
      this.counter = html("span", { class: "counter" });
      this.speed = html("select", { "aria-label": "Speed, frames a second" });
      for (const speed of SPEEDS) this.speed.append(html("option", { value: speed }, `${speed}/s`));
      const frames = this.last - this.first;
      this.speed.value = String(SPEEDS.find((speed) => speed >= frames / 30) || 1000);
      if (frames < 60) this.speed.value = "2";
      const line = html("div", { class: "timeline" }, this.slider);
      bar.append(
        this.button(icon("first"), "First frame", () => this.jump(this.first)),
        this.button(icon("back"), "One step back", () => this.jump(this.number - 1)),
        this.play,
        this.button(icon("on"), "One step on", () => this.jump(this.number + 1)),
        this.button(icon("last"), "Last frame", () => this.jump(this.last)),
        line, this.counter, this.speed);
      if (this.difference !== null) {
        const share = (this.difference - this.first) / (this.last - this.first || 1);
        const tick = html("span", { class: "tick", "aria-hidden": "true" });
        tick.style.left = `calc(.5rem + ${share} * (100% - 1rem))`;
        line.append(tick);
        const jump = this.button("First difference", "Jump to the first difference", () => this.jump(this.difference));
        jump.classList.add("difference");
        bar.append(jump);
      }
      this.host.append(bar);
      this.host.addEventListener("keydown", (event) => this.press(event));
    }

    searcher() {
      const { scene } = this;
      const tick = html("input", { type: "checkbox", checked: "" });
      const slider = html("input", { type: "range", min: 1, max: scene.search.length, value: scene.search_step ?? scene.search.length, "aria-label": "Search step" });
      const words = html("span", { class: "frame-words", "aria-live": "polite" });
      const rest = html("span", { class: "search-rest" }, slider, words);
      const list = html("ol", { class: "open-list", "aria-label": "OPEN, the next one first" });
      const of = scene.search_frame === null ? "" : ` of frame ${scene.search_frame}`;
      this.showSearch = () => {
        rest.hidden = list.hidden = !tick.checked;
        const isHere = scene.search_frame === null || this.number === scene.search_frame;
        const count = tick.checked && isHere ? Number(slider.value) : 0;
        const open = this.boards[0].search(count);
        list.replaceChildren(...this.waitingList(open));
        if (!count) { words.textContent = ""; return; }
        const [row, column, note] = scene.search[count - 1];
        const left = scene.search_omitted ? ` (${scene.search_omitted} more were left out)` : "";
        words.textContent = `${count} of ${scene.search.length}${left}: row ${row}, column ${column}${note ? ` · ${note}` : ""}`;
      };
      const show = () => {
        if (tick.checked && scene.search_frame !== null && this.slider) this.jump(scene.search_frame);
        else this.showSearch();
      };
      tick.addEventListener("change", show);
      slider.addEventListener("input", show);
      slider.addEventListener("keydown", (event) => event.stopPropagation());
      this.host.append(html("div", { class: "controls search" }, html("label", { class: "tick-label" }, tick, ` Search order${of}`), rest), list);
    }

    // OPEN in the order in which the pseudocode takes it, so that a tie is seen.
    waitingList(open) {
      const ties = open.filter((one) => one.f === open[0].f).length;
      const told = ({ row, column, cost, rest, f }, place) => html("li", { class: place ? "" : "next" },
        `(${row}, ${column}) ${cost} + ${rest} = `, html("b", {}, String(f)),
        ties > 1 && place < ties ? html("span", { class: "tie" }, place ? "tie" : "tie: row, then column decide") : "");
      const lines = open.slice(0, OPEN_SHOWN).map(told);
      if (lines.length) lines.unshift(html("li", { class: "title" }, "OPEN, the next one first: (row, column) g + h = f"));
      if (open.length > OPEN_SHOWN) lines.push(html("li", { class: "title" }, `and ${open.length - OPEN_SHOWN} more`));
      return lines;
    }

    omissions() {
      const cut = this.tracks.filter((track) => track.omitted);
      if (!cut.length) return;
      const words = cut.map((track) => `“${track.title}” shows frames ${track.first} to ${track.last}; ${track.omitted.toLocaleString("en")} were left out`);
      this.host.append(html("p", { class: "dim small" }, `To keep this page small: ${words.join("; ")}.`));
    }

    press(event) {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const from = event.target;
      const act = {
        ArrowLeft: () => this.jump(this.number - 1), ArrowRight: () => this.jump(this.number + 1),
        PageUp: () => this.jump(this.number - 10), PageDown: () => this.jump(this.number + 10),
        Home: () => this.jump(this.first), End: () => this.jump(this.last),
        " ": () => this.toggle(), d: () => this.difference !== null && this.jump(this.difference),
      }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act || from.matches("select") || (event.key === " " && from.matches("button, input"))) return;
      event.preventDefault();
      act();
    }

    later(number) {
      this.wanted = number;
      if (this.waiting) return;
      this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.go(this.wanted); });
    }

    jump(number) {
      this.pause();
      this.go(number);
      this.live.textContent = this.boards.map((board, place) => `${board.track.title}: ${this.captions[place].textContent}`).join(". ");
    }

    go(number) {
      this.number = Math.min(Math.max(number, this.first), this.last);
      this.boards.forEach((board, place) => {
        board.show(this.number);
        board.haunt(place ? this.boards[0].track : this.boards[1]?.track, this.number);
        this.captions[place].textContent = board.words(this.number);
      });
      this.boards[0].overlay(this.isOne ? this.boards[1].track : null, this.number, this.scene.difference);
      this.showSearch?.();
      if (this.figure) this.texts.show(this.figure, this.number);
      if (!this.slider) return;
      this.slider.value = String(this.number);
      this.slider.setAttribute("aria-valuetext", `frame ${this.number} of ${this.last}`);
      this.counter.textContent = `${this.number} / ${this.last}`;
      const { difference } = this;
      this.host.classList.toggle("differs", difference !== null && this.number >= difference);
    }

    toggle() { this.playing ? this.pause() : this.start(); }

    start() {
      if (this.number >= this.last) this.go(this.first);
      this.playing = true;
      this.name("pause", "Pause");
      let before = performance.now();
      let owed = 0;
      const tick = (now) => {
        if (!this.playing) return;
        owed += ((now - before) / 1000) * Number(this.speed.value);
        before = now;
        if (owed >= 1) { this.go(this.number + Math.floor(owed)); owed %= 1; }
        if (this.number >= this.last) this.pause();
        else requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    }

    pause() {
      this.playing = false;
      if (this.play) this.name("play", "Play");
    }

    name(picture, words) {
      this.play.replaceChildren(icon(picture));
      this.play.setAttribute("aria-label", words);
      this.play.title = words;
    }
  }

  const show = (host, scene) => { host.player = new Player(host, scene); };
  return { show };
})();
