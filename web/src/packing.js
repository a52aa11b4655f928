// Packs a program or a puzzle into a link, and unpacks what a link carries, within bounds.
const MOST_BYTES = 1 << 20; // unpacked: no homework is as large

const through = async (bytes, stream, most) => {
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
