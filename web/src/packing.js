// Packs a program or a puzzle into a link, and unpacks what a link carries, within bounds; unpacks the site's own zips.
const MOST_BYTES = 1 << 20; // unpacked: no homework is as large

export const through = async (bytes, stream, most) => {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const pieces = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > most) throw new RangeError("too large");
    pieces.push(next.value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
};
export const packed = async (value) => {
  const text = new TextEncoder().encode(JSON.stringify(value));
  const bytes = await through(text, new CompressionStream("deflate-raw"), MOST_BYTES);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replace(/[+/=]/g, (sign) => ({ "+": "-", "/": "_", "=": "" })[sign]);
};
export const unpacked = async (word) => {
  const text = atob(word.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const whole = await through(bytes, new DecompressionStream("deflate-raw"), MOST_BYTES);
  return JSON.parse(new TextDecoder().decode(whole));
};
// Give the files of a zip that grader/handout/zips.py wrote: its directory is the end but for 22 bytes that say so.
export const unzipped = async (bytes) => {
  const view = new DataView(bytes);
  const [short, long] = [(at) => view.getUint16(at, true), (at) => view.getUint32(at, true)];
  const entries = [];
  let at = long(bytes.byteLength - 6);
  for (let left = short(bytes.byteLength - 12); left; left -= 1) {
    const begin = long(at + 42) + 30 + short(long(at + 42) + 26) + short(long(at + 42) + 28);
    const name = new TextDecoder().decode(new Uint8Array(bytes, at + 46, short(at + 28)));
    entries.push([name, new Uint8Array(bytes, begin, long(at + 20)), short(at + 10)]);
    at += 46 + short(at + 28) + short(at + 30) + short(at + 32);
  }
  const inflated = ([name, content, method]) =>
    method ? through(content, new DecompressionStream("deflate-raw"), Infinity).then((whole) => [name, whole]) : [name, content.slice()];
  return Object.fromEntries(await Promise.all(entries.map(inflated)));
};
