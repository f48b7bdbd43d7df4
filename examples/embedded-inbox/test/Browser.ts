import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { vi } from "vitest"

/** The first Chromium on this machine; null if there is none. */
export const chromium =
  ["chromium", "chromium-browser", "google-chrome"].find((name) => spawnSync(name, ["--version"]).status === 0) ?? null

/** A tab of a headless browser. */
export interface Tab {
  readonly goto: (url: string) => Promise<void>
  /** Evaluates an expression in the page, and awaits its result. */
  readonly evaluate: (expression: string) => Promise<unknown>
  /** Resolves when the expression is true in the page. */
  readonly until: (expression: string) => Promise<void>
  readonly close: () => Promise<void>
}

interface Reply {
  readonly id?: number
  readonly sessionId?: string
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly message: string }
}

const endpointOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let written = ""
    child.stderr?.on("data", (chunk: Buffer) => {
      written += chunk.toString("utf8")
      const [, url] = /DevTools listening on (\S+)/u.exec(written) ?? []
      if (url !== undefined) resolve(url)
    })
    child.once("exit", () => reject(new Error(`the browser ended: ${written}`)))
  })

type Send = (method: string, params: object, sessionId?: string) => Promise<Readonly<Record<string, unknown>>>

/** Sends commands of the Chrome DevTools Protocol, which are JSON with an id over a WebSocket. */
const connect = async (url: string): Promise<Send> => {
  const socket = new WebSocket(url)
  const waiting = new Map<number, PromiseWithResolvers<Readonly<Record<string, unknown>>>>()
  socket.addEventListener("message", ({ data }) => {
    const { error, id = 0, result = {} }: Reply = JSON.parse(String(data))
    const call = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) call?.resolve(result)
    else call?.reject(new Error(error.message))
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve)
    socket.addEventListener("error", reject)
  })
  let last = 0
  return (method, params, sessionId) => {
    const id = ++last
    const call = Promise.withResolvers<Readonly<Record<string, unknown>>>()
    waiting.set(id, call)
    socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }))
    return call.promise
  }
}

/** Opens a tab in a new browser with an empty profile. */
export const openTab = async (program: string): Promise<Tab> => {
  const profile = await mkdtemp(join(tmpdir(), "leadloom-browser-"))
  const args = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--remote-debugging-port=0",
    `--user-data-dir=${profile}`
  ]
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] })
  const ended = new Promise((resolve) => child.once("close", resolve))
  const send = await connect(await endpointOf(child))
  const { targetId } = await send("Target.createTarget", { url: "about:blank" })
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true })
  const session = String(sessionId)
  const evaluate = async (expression: string): Promise<unknown> => {
    const options = { expression, awaitPromise: true, returnByValue: true }
    const { exceptionDetails, result } = await send("Runtime.evaluate", options, session)
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
    return typeof result === "object" && result !== null && "value" in result ? result.value : undefined
  }
  return {
    goto: async (url) => void (await send("Page.navigate", { url }, session)),
    evaluate,
    until: (expression) =>
      vi.waitFor(
        async () => {
          if ((await evaluate(expression)) !== true) throw new Error(`not true in the page: ${expression}`)
        },
        { timeout: 60_000, interval: 50 }
      ),
    close: async () => {
      await send("Browser.close", {}).catch(() => undefined)
      await ended
      await rm(profile, { recursive: true, force: true })
    }
  }
}
