/* A headless Chromium, spoken to over two pipes in its own debugging protocol: needs node and chromium, and no packages. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu-vsync", "--remote-debugging-pipe", "--no-first-run",
    "--hide-scrollbars",
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage"];

export class Browser {
    constructor(program = process.env.CHROMIUM || "chromium") {
        this.profile = mkdtempSync(join(tmpdir(), "replay-"));
        this.process = spawn(program, [...FLAGS, `--user-data-dir=${this.profile}`, "about:blank"],
            { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
        this.process.on("error", error => { throw new Error(`needs chromium: ${error.message}`); });
        this.waiting = new Map();
        this.listeners = [];
        this.next = 1;
        let rest = Buffer.alloc(0);
        this.process.stdio[4].on("data", data => {
            rest = Buffer.concat([rest, data]);
            for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1))
                this.receive(JSON.parse(rest.subarray(0, end).toString()));
        });
    }

    receive(message) {
        const wait = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if (wait) message.error ? wait.reject(new Error(message.error.message)) : wait.resolve(message.result);
        else this.listeners.forEach(listen => listen(message));
    }

    send(method, params = {}, sessionId) {
        const id = this.next++;
        this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
        return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    }

    async close() {
        await this.send("Browser.close").catch(() => {});
        await new Promise(resolve => (this.process.exitCode === null ? this.process.once("exit", resolve) : resolve()));
        rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
    }
}

/* One page; `errors` collects what its console or its exceptions complain of. */
export class Tab {
    static async open(browser, file, { width = 1280, height = 860, dark = false, phone = false } = {}) {
        const tab = new Tab();
        const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
        const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
        Object.assign(tab, { browser, targetId, sessionId, errors: [] });
        tab.send = (method, params) => browser.send(method, params, sessionId);
        browser.listeners.push(tab.listen = message => tab.hear(message));
        for (const domain of ["Page", "Runtime", "Log"]) await tab.send(`${domain}.enable`);
        await tab.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: phone ? 2 : 1, mobile: phone });
        await tab.send("Emulation.setTouchEmulationEnabled", { enabled: phone });
        await tab.send("Emulation.setEmulatedMedia",
            { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
        const loaded = new Promise(resolve => { tab.loaded = resolve; });
        await tab.send("Page.navigate", { url: pathToFileURL(file).href });
        await loaded;
        return tab;
    }

    hear({ method, params, sessionId }) {
        if (sessionId !== this.sessionId) return;
        if (method === "Page.loadEventFired") this.loaded?.();
        if (method === "Runtime.exceptionThrown") this.errors.push(params.exceptionDetails.exception?.description
            || params.exceptionDetails.text);
        if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type))
            this.errors.push(params.args.map(a => a.value).join(" "));
        if (method === "Log.entryAdded" && params.entry.level === "error") this.errors.push(params.entry.text);
    }

    async eval(expression) {
        const result = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
        if (result.exceptionDetails) throw new Error(result.exceptionDetails.exception?.description
            || result.exceptionDetails.text);
        return result.result.value;
    }

    /* Two pictures later. */
    settle() { return this.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"); }
    wait(ms) { return new Promise(done => setTimeout(done, ms)); }

    async middle(selector) {
        return this.eval(`(() => { const b = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
            return { x: b.left + b.width / 2, y: b.top + b.height / 2, left: b.left, top: b.top, width: b.width,
                height: b.height }; })()`);
    }

    mouse(type, x, y, more = {}) {
        return this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: type === "mouseReleased" ? 0 : 1,
            clickCount: 1, ...more });
    }

    async click(x, y) { await this.mouse("mousePressed", x, y); await this.mouse("mouseReleased", x, y); await this.settle(); }
    async press(selector) { const { x, y } = await this.middle(selector); await this.click(x, y); }

    async drag(x0, y0, x1, y1, more = {}) {
        await this.mouse("mousePressed", x0, y0, more);
        for (let k = 1; k <= 5; k++) await this.mouse("mouseMoved", x0 + (x1 - x0) * k / 5, y0 + (y1 - y0) * k / 5, more);
        await this.mouse("mouseReleased", x1, y1);
        await this.settle();
    }

    async key(key, modifiers = 0) {
        const text = key.length === 1 ? key : undefined;
        await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, text, modifiers });
        await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, modifiers });
        await this.settle();
    }

    async picture(full = false) {
        const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: full });
        return Buffer.from(data, "base64");
    }

    async close() {
        this.browser.listeners = this.browser.listeners.filter(listen => listen !== this.listen);
        await this.browser.send("Target.closeTarget", { targetId: this.targetId });
    }
}
