// Opens pages in Firefox as a reader does, and prints what it sees as JSON: node firefox.mjs PAGE…
import puppeteer from "puppeteer-core";

const pages = process.argv.slice(2);
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: "/usr/bin/firefox-esr",
  extraPrefsFirefox: { "ui.systemUsesDarkTheme": 1, "ui.prefersReducedMotion": 1 },
});

const counter = () => document.querySelector(".counter")?.textContent ?? "";
const look = () => ({
  sticksOut: document.documentElement.scrollWidth > innerWidth,
  isDark: matchMedia("(prefers-color-scheme: dark)").matches,
  players: document.querySelectorAll(".player").length,
  drawn: document.querySelectorAll(".player svg.board").length,
  rows: [...document.querySelectorAll(".grid tbody tr")].filter((row) => row.getBoundingClientRect().height).length,
});

async function seen(address) {
  const page = await browser.newPage();
  const complaints = [];
  page.on("console", (line) => line.type() === "error" && complaints.push(line.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (sent) => /^(file|data):/.test(sent.url()) || complaints.push(sent.url()));
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(address);
  if (await page.$(".player")) await page.waitForSelector(".player svg.board");
  const wide = await page.evaluate(look);
  const steps = [];
  if (wide.drawn) {
    await page.focus(".case[open] .player");
    for (const key of ["Home", "ArrowRight", "End", "d"]) {
      await page.keyboard.press(key);
      steps.push(await page.evaluate(counter));
    }
  }
  await page.setViewport({ width: 390, height: 800 });
  await page.evaluate(() => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));
  await page.waitForFunction(() => [...document.querySelectorAll(".player")].every((one) => one.querySelector(".board")));
  const narrow = await page.evaluate(look);
  await page.close();
  return { complaints, wide, narrow, steps };
}

const found = [];
for (const page of pages) found.push(await seen(page));
await browser.close();
console.log(JSON.stringify(found));
