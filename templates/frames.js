// Frames as text: the comparison of expected and found that follows the player.
class FrameTexts {
  constructor({ first, fork, expected, found }) {
    const unfold = (frames, begun) => {
      let lines = begun;
      return frames.map(([count, ...parts]) => {
        lines = lines.slice(0, count);
        for (let part = 0; part < parts.length; part += 2) lines[parts[part]] = parts[part + 1];
        return lines;
      });
    };
    this.first = first;
    this.fork = fork;
    this.expected = unfold(expected, []);
    this.found = unfold(found, this.expected[fork - first - 1] || []);
  }

  // Both sides of a frame; null for one that has ended or isn't kept.
  at(number) {
    const expected = this.expected[number - this.first] || null;
    return [expected, number < this.fork ? expected : this.found[number - this.fork] || null];
  }

  show(figure, number) {
    const [expected, found] = this.at(number);
    const same = number < this.fork && expected;
    const where = figure.querySelector("figcaption .where");
    where.textContent = `${same ? "Printed as expected" : "Expected and found"}, frame ${number}`;
    const lines = [];
    if (!expected && !found) lines.push(this.line("before", "", "The text of this frame is not kept here."));
    else if (!expected) lines.push(this.line("before", "", "Nothing more was expected, or it is not kept here."));
    else if (!found) lines.push(this.line("before", "", "Nothing more was printed, or it is not kept here."));
    lines.push(...this.compare(expected || [], found || []));
    figure.querySelector("ol").replaceChildren(...lines);
  }

  compare(expected, found) {
    const shorter = Math.min(expected.length, found.length);
    let head = 0;
    while (head < shorter && expected[head] === found[head]) head++;
    let tail = 0;
    while (tail < shorter - head && expected.at(-1 - tail) === found.at(-1 - tail)) tail++;
    const lines = expected.slice(0, head).map((text) => this.line("same", "", text));
    const olds = expected.slice(head, expected.length - tail);
    const news = found.slice(head, found.length - tail);
    if (olds.length === news.length) olds.forEach((old, place) => {
      if (old === news[place]) lines.push(this.line("same", "", old));
      else lines.push(this.line("expected", "expected", old, news[place]), this.line("found", "found", news[place], old));
    });
    else lines.push(...olds.map((text) => this.line("expected", "expected", text)), ...news.map((text) => this.line("found", "found", text)));
    return [...lines, ...expected.slice(expected.length - tail).map((text) => this.line("same", "", text))];
  }

  line(kind, sign, text, other = null) {
    const item = document.createElement("li");
    item.className = `d-${kind}`;
    const code = document.createElement("code");
    let [run, look] = [null, ""];
    [...text].forEach((letter, place) => {
      const now = other !== null && letter !== [...other][place] ? "changed" : "";
      if (now !== look || !run) {
        look = now;
        run = document.createElement(look ? "i" : "span");
        code.append(run);
      }
      run.textContent += letter === " " && kind !== "before" ? "·" : letter;
    });
    const mark = document.createElement("b");
    mark.textContent = sign;
    item.append(mark, code);
    return item;
  }
}
