/* Tests of the replay page in a real browser. Needs node, python3 and chromium (or CHROMIUM=program), and no packages.

       node bench/page/page_test.mjs [--many] [PAGE.html ...]

   Pages made by programs are checked against their own recordings, read by recording.py; then pages of known scenes, written
   by it from closed forms, are played with mouse, keys and fingers; then recordings are spoilt in many ways. Pictures of what
   was seen go to build/page/. --many adds a recording of a thousand bodies, whose making takes half a minute. Ends with
   "N passed, N failed". */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, basename } from "node:path";
import { fileURLToPath } from "node:url";
import { Browser, Tab } from "./browser.mjs";

const HERE = dirname(fileURLToPath(import.meta.url)), ROOT = resolve(HERE, "../..");
const TEMPLATE = join(ROOT, "examples/replay.html"), OUT = join(ROOT, "build/page"), TOOL = join(HERE, "recording.py");
const HEAD_NAMES = ["energy", "momentum_x", "momentum_y", "momentum_z", "residual", "worst_gap", "energy_excess", "iterations",
    "inexact", "contacts"];
let passed = 0, failed = 0;

function check(what, holds, detail = "") {
    if (holds) passed++; else { failed++; console.log(`FAILED ${what} ${detail}`); }
}

const near = (a, b, tolerance) => Math.abs(a - b) <= tolerance;
const sameNumbers = (a, b) => a.length === b.length && a.every((x, i) => Object.is(x, b[i]) || x === b[i]);
const python = (...args) => execFileSync("python3", [TOOL, ...args], { maxBuffer: 1 << 30 }).toString();
const dump = file => JSON.parse(python("dump", file));

function scenePage(name) {
    const file = join(OUT, `${name}.html`);
    python("page", name, file, TEMPLATE);
    return file;
}

const state = tab => tab.eval("replay.state()");
const shoot = async (tab, name, full) => { await tab.wait(700); writeFileSync(join(OUT, `${name}.png`),
    await tab.picture(full)); };
const quiet = (tab, what) => check(`${what}: nothing on the console`, tab.errors.length === 0, tab.errors.join("; "));

/* ---- any page: what is shown is what was recorded ---- */

async function checkRun(tab, run, index, what) {
    const values = key => tab.eval(`replay.plotValues(${JSON.stringify(key)}, ${index})`), { frames } = run;
    for (const name of HEAD_NAMES) check(`${what}: plot of ${name}`, sameNumbers(await values(name), frames.map(f => f[name])));
    check(`${what}: plot of joint error`, sameNumbers(await values("joint_error"), frames.map(f => f.joint_error)));
    for (let k = 0; k < frames[0].scalars.length; k++)
        check(`${what}: plot of scalar ${k}`, sameNumbers(await values(`scalar:${k}`), frames.map(f => f.scalars[k])));
    const bodies = frames[0].bodies.length;
    for (const body of new Set([0, 1, bodies >> 1, bodies - 1]))
        for (const [k, place] of [[0, 0], [1, 1], [2, 2], [4, 8], [8, 12]])
            check(`${what}: plot of body ${body}`, sameNumbers(await values(`body:${body}:${k}`),
                frames.map(f => f.bodies[body][place])));
}

async function checkPicked(tab, runs, what) {
    const [{ frames }] = runs;
    for (const step of new Set([0, frames.length >> 1, frames.length - 1])) {
        await tab.eval(`replay.seek(${step})`);
        const at = await state(tab);
        if (at.steps[0] !== step) continue; /* another run has more frames */
        for (const body of new Set([0, frames[0].bodies.length - 1])) {
            const seen = await tab.eval(`(replay.pick(${body}, 0), replay.state().picked)`), want = frames[step].bodies[body];
            check(`${what}: position of body ${body} at ${step}`, sameNumbers(seen.position, want.slice(0, 3)));
            check(`${what}: velocity of body ${body} at ${step}`, sameNumbers([...seen.velocity, ...seen.angular_velocity],
                want.slice(7, 13)));
            check(`${what}: contacts of body ${body} at ${step}`,
                seen.contacts.length === frames[step].contact_bodies.filter(c => c.includes(body)).length);
        }
    }
    await tab.eval("replay.pick(-1)");
}

/* Some body lies open to the eye: a click on it picks it. */
async function checkClick(tab, what) {
    const count = await tab.eval("replay.runs[0].scene(0).bodies.length");
    for (let body = 0; body < Math.min(count, 40); body++) {
        const at = await tab.eval(`replay.place(${body})`);
        if (!at || !await tab.eval(`document.elementFromPoint(${at})?.id === "scene"`)) continue;
        await tab.click(...at);
        if ((await state(tab)).picked?.index === body) return check(`${what}: a click picks`, true);
    }
    check(`${what}: a click picks`, false);
}

async function checkPlaying(tab, what) {
    await tab.key("Home");
    check(`${what}: home`, (await state(tab)).step === 0);
    await tab.key(" ");
    await tab.wait(600);
    const during = await state(tab);
    check(`${what}: space plays`, during.playing && during.step > 0, JSON.stringify([during.playing, during.step]));
    await tab.key(" ");
    const after = await state(tab);
    await tab.wait(200);
    check(`${what}: space pauses`, !after.playing && (await state(tab)).step === after.step);
    await tab.key("End");
    check(`${what}: end`, (await state(tab)).step === after.count - 1);
    await tab.key("ArrowLeft");
    check(`${what}: one step back`, (await state(tab)).step === after.count - 2);
    await tab.key("ArrowRight");
    check(`${what}: one step forward`, (await state(tab)).step === after.count - 1);
}

async function checkSlider(tab, what) {
    const { left, width, y } = await tab.middle("#slider"), { count } = await state(tab);
    await tab.drag(left + 8, y, left + 8 + (width - 16) * 0.5, y);
    check(`${what}: the slider moves the time`, near((await state(tab)).step, (count - 1) / 2, 0.02 * count + 1));
    const plot = await tab.middle(".plot canvas");
    await tab.drag(plot.left + plot.width * 0.8, plot.y, plot.left + 54 + (plot.width - 62) * 0.25, plot.y);
    const now = await state(tab), span = await tab.eval("[...replay.runs[0].times].slice(-1)[0] - replay.runs[0].times[0]");
    check(`${what}: a drag on a plot moves the time`, near(now.time, 0.25 * span, 0.02 * span), `${now.time} of ${span}`);
}

/* The figure next to a plot is the recording's at the cursor. */
async function checkReadout(tab, run, what) {
    await tab.eval("replay.seek(3), replay.draw()");
    const { steps } = await state(tab), words = await tab.eval("document.querySelector('.plot .values span').textContent");
    const want = run.frames[steps[0]].energy, shown = parseFloat(words);
    check(`${what}: the value at the cursor`, near(shown, want, 1e-3 * Math.abs(want) + 1e-4), `${shown} for ${want}`);
}

async function checkPage(browser, file, options = {}) {
    const what = basename(file, ".html"), runs = dump(file), tab = await Tab.open(browser, file, options);
    const at = await state(tab);
    check(`${what}: opens without problems`, at.problems.length === 0, at.problems.join("; "));
    check(`${what}: all frames`, at.count === Math.max(...runs.map(run => run.frames.length)), at.count);
    for (const [index, run] of runs.entries()) await checkRun(tab, run, index, `${what} ${run.name}`);
    await checkPicked(tab, runs, what);
    await checkPlaying(tab, what);
    await checkSlider(tab, what);
    await checkReadout(tab, runs[0], what);
    await checkClick(tab, what);
    await checkToggles(tab, runs, what);
    await shoot(tab, what);
    quiet(tab, what);
    await tab.close();
}

/* Each chip draws something of its own where there is something to draw. */
async function checkToggles(tab, runs, what) {
    const busiest = runs[0].frames.reduce((best, f, i) => (f.contact_bodies.length > runs[0].frames[best].contact_bodies.length
        ? i : best), 1);
    const lines = () => tab.eval("(replay.draw(), replay.state().overlayLines.reduce((a, b) => a + b, 0))");
    await tab.eval(`replay.pick(-1), replay.seek(${busiest}), Object.keys(page.shown).forEach(name => page.show(name, false))`);
    const some = { contacts: runs[0].frames[busiest].contact_bodies.length > 0,
        joints: await tab.eval("replay.runs[0].scene(0).joints.length > 0"), boxes: true, frames: true, mass: true,
        trails: true };
    for (const [name, expected] of Object.entries(some)) {
        const before = await lines();
        await tab.press(`#toggle-${name}`);
        check(`${what}: ${name} are switched on`, (await state(tab)).shown[name] && (await lines() > before) === expected,
            `${before} lines, then ${await lines()}`);
        await tab.press(`#toggle-${name}`);
        check(`${what}: ${name} are switched off`, await lines() === before);
    }
    await tab.eval("page.show('contacts', true), page.show('joints', true)");
}

/* ---- known scenes ---- */

async function checkDrop(browser) {
    const file = scenePage("drop"), tab = await Tab.open(browser, file);
    await tab.eval("replay.seek(0)");
    await tab.settle();
    const [x, y] = await tab.eval("replay.place(3)");
    await tab.click(x, y);
    const card = await tab.eval("document.getElementById('card').textContent");
    check("drop: the card names the body that was clicked", card.includes("wedge 2") && card.includes("1.3000"), card);
    await tab.key("Escape");
    check("drop: escape drops it", (await state(tab)).picked === null);
    await tab.click(640, 60);
    check("drop: a click on nothing picks nothing", (await state(tab)).picked === null);
    await checkMarks(tab);
    await checkLook(tab);
    await checkKeys(tab);
    quiet(tab, "drop");
    await tab.close();
}

/* Steps 60 (failed), 90 and 150 (inexact) of 200 are marked; the tooltip tells why, and takes the message for text. */
async function checkMarks(tab) {
    const { left, width, y } = await tab.middle("#marks"), placeOf = step => left + 8 + (width - 16) * step / 200;
    for (const [step, words] of [[60, "step 60: failed: a reason with <b>marks</b>"], [90, "step 90: inexact (3)"],
        [150, "step 150: inexact (1)"]]) {
        await tab.mouse("mouseMoved", placeOf(step), y, { buttons: 0, button: "none" });
        const tip = await tab.eval("(tip => !tip.hidden && tip.textContent)(document.getElementById('tip'))");
        check(`drop: mark at ${step}`, tip === words, tip);
    }
    await tab.mouse("mouseMoved", placeOf(30), y, { buttons: 0, button: "none" });
    check("drop: no mark at 30", await tab.eval("document.getElementById('tip').hidden"));
    await tab.click(placeOf(60), y);
    check("drop: a click on a mark goes there", (await state(tab)).step === 60);
}

async function checkLook(tab) {
    const sights = [await tab.picture()], differ = async (what, act) => {
        await act();
        await tab.wait(500);
        const now = await tab.picture();
        check(`drop: ${what}`, !now.equals(sights[sights.length - 1]));
        sights.push(now);
    };
    const { target, yaw } = await tab.eval("page.camera");
    await differ("a drag turns", () => tab.drag(200, 300, 320, 340));
    const turned = await tab.eval("page.camera");
    check("drop: a drag turns only", turned.yaw !== yaw && turned.target.join() === target.join());
    await differ("shift and drag moves", () => tab.drag(200, 300, 320, 340, { modifiers: 8 }));
    const moved = await tab.eval("page.camera");
    check("drop: shift and drag moves only", moved.yaw === turned.yaw && moved.target.join() !== target.join());
    await differ("the wheel zooms", () => tab.send("Input.dispatchMouseEvent",
        { type: "mouseWheel", x: 640, y: 300, deltaX: 0, deltaY: -300 }));
    await differ("V resets", () => tab.key("v"));
    await differ("the theme changes", () => tab.key("d"));
    check("drop: dark", (await state(tab)).theme === "dark"
        && await tab.eval("document.documentElement.dataset.theme") === "dark");
    await tab.key("d");
}

async function checkKeys(tab) {
    for (const [key, name] of [["c", "contacts"], ["j", "joints"], ["f", "frames"], ["b", "boxes"], ["m", "mass"],
        ["t", "trails"], ["n", "names"],
        ["x", "glass"]]) {
        await tab.key(key);
        check(`keys: ${key} on`, (await state(tab)).shown[name]);
        await tab.key(key);
        check(`keys: ${key} off`, !(await state(tab)).shown[name]);
    }
    const speeds = [];
    for (const key of ["+", "+", "+", "+", "-", "-", "-", "-", "-", "-",
        "-"]) { await tab.key(key); speeds.push((await state(tab)).speed); }
    check("keys: + and - change the speed", speeds.join() === "2,4,8,8,4,2,1,0.5,0.25,0.125,0.125", speeds.join());
    await tab.key("l");
    check("keys: l ends the loop", !(await state(tab)).loop);
    await tab.eval("page.setSpeed(8), replay.seek(180), replay.play()");
    await tab.wait(900);
    check("without a loop it stops at the end", !(await state(tab)).playing && (await state(tab)).step === 200);
    await tab.key("?");
    check("keys: ? opens the help", await tab.eval("document.getElementById('help').open"));
    await shoot(tab, "help");
    await tab.key("?");
    check("keys: ? closes it", !await tab.eval("document.getElementById('help').open"));
}

/* Runs of unlike length and step: the same time in all. */
async function checkCompare(browser) {
    const tab = await Tab.open(browser, scenePage("compare3"), { dark: true });
    check("compare: follows the system's dark", (await state(tab)).theme === "dark");
    for (const step of [0, 77, 201, 400]) {
        await tab.eval(`replay.seek(${step})`);
        const { steps } = await state(tab);
        check(`compare: time-locked at ${step}`, steps[1] === step && steps[0] === Math.floor(step / 2) && steps[2] === steps[0],
            steps.join());
    }
    check("compare: a legend", await tab.eval("document.getElementById('legend').textContent") === "ninehingenine again");
    check("compare: a value for each run", await tab.eval("document.querySelectorAll('.plot .values')[0].children.length") === 3);
    await tab.eval("replay.seek(90)");
    await shoot(tab, "compare-side");
    await tab.press("#overlay");
    check("compare: overlaid", (await state(tab)).overlaid);
    await shoot(tab, "compare-over");
    quiet(tab, "compare");
    await tab.close();
}

/* A phone: all within its width, one finger turns, two zoom, a tap picks. */
async function checkPhone(browser) {
    const tab = await Tab.open(browser, scenePage("drop"), { width: 360, height: 740, phone: true }), touch = (type, ...points) =>
        tab.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    check("phone: nothing sticks out", await tab.eval("document.documentElement.scrollWidth") <= 360,
        await tab.eval("document.documentElement.scrollWidth"));
    await tab.settle();
    const at = await tab.eval("replay.place(3)"), zoom = await tab.eval("page.camera.zoom");
    const yaw = await tab.eval("page.camera.yaw");
    await touch("touchStart", at);
    await touch("touchEnd");
    await tab.settle();
    check("phone: a tap picks", (await state(tab)).picked?.index === 3);
    await shoot(tab, "phone", true);
    await touch("touchStart", [100, 200]);
    for (let k = 1; k < 6; k++) await touch("touchMove", [100 + 10 * k, 200]);
    await touch("touchEnd");
    check("phone: a finger turns", await tab.eval("page.camera.yaw") !== yaw);
    await touch("touchStart", [150, 200], [200, 200]);
    for (let k = 1; k < 6; k++) await touch("touchMove", [150 - 10 * k, 200], [200 + 10 * k, 200]);
    await touch("touchEnd");
    check("phone: two fingers zoom", near(await tab.eval("page.camera.zoom") / zoom, 3, 0.4),
        await tab.eval("page.camera.zoom") / zoom);
    quiet(tab, "phone");
    await tab.close();
}

/* ---- spoilt recordings ---- */

const SPOIL = `(() => {
    const text = replay.runs[0].source.text, raw = atob(text), good = Uint8Array.from(raw, c => c.charCodeAt(0));
    const encode = bytes => {
        let s = "";
        for (let i = 0; i < bytes.length; i += 8190) s += String.fromCharCode(...bytes.subarray(i, i + 8190));
        return btoa(s);
    };
    page.painter.drawRun = () => {}; /* pixels are not in question here, and take long where there is no graphics card */
    window.show = bytes => {
        replay.open([{ name: "spoilt", data: typeof bytes === "string" ? bytes : encode(bytes) }]);
        for (const name of ["contacts", "joints", "frames", "boxes", "mass", "trails", "names"]) if (!replay.state().shown[name])
            replay.toggle(name);
        const { count } = replay.state();
        replay.pick(1);
        for (const step of [0, count >> 1, count - 1]) { replay.seek(step); replay.draw(); }
        return { count, problems: replay.state().problems, shown: !document.getElementById("problems").hidden };
    };
    /* Chunks with their places, so that one may mend a checksum. */
    window.chunks = [];
    for (let at = 64; at < good.length;) { const size = new DataView(good.buffer).getUint32(at + 4,
        true); chunks.push({ at, size }); at += 12 + size; }
    window.mend = (bytes, { at, size }) => new DataView(bytes.buffer).setUint32(at + 8,
        adler32(bytes.subarray(at + 12, at + 12 + size)), true);
    window.good = good;
    return good.length;
})()`;

async function checkCut(tab, size) {
    for (let k = 0; k <= 30; k++) {
        const cut = k < 12 ? k * 7 : Math.floor(size * (k - 11) / 19.3), seen = await tab.eval(`show(good.slice(0, ${cut}))`);
        const whole = await tab.eval(`chunks.slice(4).filter(c => c.at + 12 + c.size <= ${cut}).length`);
        check(`cut at ${cut}: told`, seen.problems.length > 0 && seen.shown, JSON.stringify(seen));
        check(`cut at ${cut}: what is whole is shown`, seen.count === whole, `${seen.count} for ${whole}`);
    }
}

/* A wrong byte anywhere but in the name of a chunk that need not be there is told; the checksum finds it. */
async function checkFlipped(tab, size) {
    const seen = await tab.eval(`(() => { const silent = []; let state = 12345;
        for (let k = 0; k < 120; k++) {
            state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
            const at = k < 64 ? k : state % ${size}, bytes = good.slice();
            if (chunks.some(c => at >= c.at && at < c.at + 4 && [78, 88].includes(good[c.at]))) continue;
            bytes[at] ^= 1 + state % 255 || 1;
            if (!show(bytes).problems.length) silent.push(at);
        } return silent; })()`);
    check("flipped bytes: all are told", seen.length === 0, seen.join());
}

/* With checksums that agree anything may come: nothing must break. */
async function checkForged(tab) {
    const count = await tab.eval(`(() => { let state = 99, told = 0;
        for (let k = 0; k < 300; k++) {
            const bytes = good.slice(), next = n => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % n;
            const chunk = chunks[next(9)];
            for (let n = 0; n < 1 + k % 4; n++) bytes[chunk.at + 12 + next(Math.min(chunk.size, k % 2 ? 400 : 1e9))] = [0, 255,
                127, next(256)][next(4)];
            mend(bytes, chunk);
            told += show(bytes).problems.length > 0;
        } return told; })()`);
    check("forged bytes: some are told", count > 30, count);
}

async function checkWords(tab) {
    const cases = [["show('')", "no recording"], ["show(new Uint8Array(200))", "does not begin with dvc.rec"],
        ["show('!!!' + 'A'.repeat(200))", "base64"],
        ["show((() => { const b = good.slice(); b[8] = 7; return b; })())", "version 7"],
        ["show((() => { const b = good.slice(); b[chunks[20].at + 30] ^= 1; return b; })())", "chunk FRAM: is damaged"],
        ["show(good.slice(0, chunks[20].at + 100))", "goes past the end"], ["show(good.slice(0, chunks[20].at))", "cut off"]];
    for (const [act, words] of cases) {
        const { problems } = await tab.eval(act);
        check(`message: ${words}`, problems.some(p => p.includes(words)), problems.join("; "));
    }
    const { count } = await tab.eval("show((() => { const b = good.slice(); b[chunks[20].at + 30] ^= 1; return b; })())");
    check("one damaged frame is passed over, the others are shown", count === await tab.eval("chunks.length - 6"));
}

async function checkSpoilt(browser) {
    for (const scene of ["drop", "flat", "joints"]) {
        const tab = await Tab.open(browser, scenePage(scene), { width: 380, height: 420 }), size = await tab.eval(SPOIL);
        if (scene === "drop") { await checkWords(tab); await checkCut(tab, size); }
        await checkFlipped(tab, size);
        await checkForged(tab);
        quiet(tab, `spoilt ${scene}`);
        await tab.close();
    }
    const broken = join(OUT, "broken.html");
    writeFileSync(broken, readFileSync(TEMPLATE, "utf8").replace("/*RECORDINGS*/", "{ no object"));
    for (const [file, words] of [[broken, "cannot be read"], [TEMPLATE, null]]) {
        const tab = await Tab.open(browser, file), { problems } = await state(tab);
        check(`${basename(file)}: ${words || "an empty page"}`, words ? problems[0].includes(words) : problems.length === 0,
            problems.join("; "));
        quiet(tab, basename(file));
        await tab.close();
    }
}

/* A thousand bodies, a thousand steps: opens in seconds; a frame costs little but for what the graphics card does. */
async function checkMany(browser) {
    const file = scenePage("many"), start = Date.now(), tab = await Tab.open(browser, file), opened = (Date.now() - start) / 1000;
    const frame = await tab.eval(`(() => { page.painter.drawRun = () => {}; const start = performance.now();
        for (let k = 0; k < 100; k++) { replay.seek(10 * k); replay.draw(); } return (performance.now() - start) / 100; })()`);
    const series = await tab.eval("(start => (replay.plotValues('body:900:2'), performance.now() - start))(performance.now())");
    console.log(`many: ${readFileSync(file).length >> 20} MB; opens in ${opened.toFixed(1)} s; ${frame.toFixed(1)} ms a frame `
        + `before drawing; a body's coordinate over all steps ${series.toFixed(0)} ms`);
    check("many: opens in a few seconds", opened < 10, opened);
    check("many: a frame is ready in time", frame < 33, frame);
    quiet(tab, "many");
    await tab.close();
}

async function main() {
    mkdirSync(OUT, { recursive: true });
    const browser = new Browser(), words = process.argv.slice(2);
    const given = words.filter(word => word !== "--many").map(file => resolve(file));
    try {
        for (const file of given) await checkPage(browser, file);
        await checkPage(browser, scenePage("drop"));
        await checkPage(browser, scenePage("flat"), { dark: true });
        await checkPage(browser, scenePage("joints"));
        await checkPage(browser, scenePage("compare"));
        await checkDrop(browser);
        await checkCompare(browser);
        await checkPhone(browser);
        await checkSpoilt(browser);
        if (words.includes("--many")) await checkMany(browser);
    } catch (error) { check("the tests run to their end", false, error.stack); }
    await browser.close();
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed ? 1 : 0;
}

await main();
