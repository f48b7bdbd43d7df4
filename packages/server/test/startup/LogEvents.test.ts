import { sourcesOf } from "@leadloom/testkit/Sources"
import { Cause, Effect } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { logCatalogues } from "../../generate/LogsPage.ts"
import { log } from "../../src/LogEvents.ts"
import * as Log from "../../src/startup/Log.ts"

const sources = ["core", "store", "connectors", "server", "mcp"].flatMap(sourcesOf)
const names = Object.values(logCatalogues).flatMap((events) => Object.keys(events))

describe("log events", () => {
  it("are the only way to write to the log", () => {
    const direct = sources.filter(({ text }) =>
      /\bEffect\.log(?:Trace|Debug|Info|Warning|Error|Fatal|WithLevel)?\(/u.test(text)
    )
    // The package `mcp` must not import `core`, so it logs its only event itself.
    expect(direct.map(({ path }) => path)).toEqual(["packages/mcp/src/Mcp.ts"])
  })

  it("have unique names, and each is logged somewhere", () => {
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/^[a-z]+\.[a-z_]+$/u.test(name))).toEqual([])
    const calls = sources.filter(({ path }) => !path.endsWith("/LogEvents.ts")).map(({ text }) => text)
    expect(names.filter((name) => !calls.some((text) => text.includes(`"${name}"`)))).toEqual([])
  })

  it("have a sentence without a full stop, and an explanation", () => {
    for (const [name, { sentence, when }] of Object.values(logCatalogues).flatMap(Object.entries)) {
      expect(sentence, name).toMatch(/[^.]$/u)
      expect(when, name).toMatch(/\.$/u)
    }
  })
})

describe("a log line", () => {
  let written = ""
  afterEach(() => {
    written = ""
    vi.restoreAllMocks()
  })

  const write = async (format: "json" | "pretty", line: Effect.Effect<void>): Promise<string> => {
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      written += String(text)
      return true
    })
    await Effect.runPromise(Effect.provide(line, Log.layer({ logFormat: format, logLevel: "info" })))
    return written
  }

  const forged = log("import.failed", { file: 'a\nlevel=error event="x"' })

  it("is one JSON object with time, level, event, sentence and fields", async () => {
    const text = await write("json", log("server.listening", { url: "http://127.0.0.1:4800", data_dir: "/data" }))
    const { time, ...line } = JSON.parse(text)
    expect(new Date(time).toISOString()).toBe(time)
    expect(Object.entries(line)).toEqual([
      ["level", "info"],
      ["event", "server.listening"],
      ["message", "listening"],
      ["url", "http://127.0.0.1:4800"],
      ["data_dir", "/data"]
    ])
    expect((await write("json", forged)).trimEnd().split("\n")).toHaveLength(2)
  })

  it("is one readable line in the format `pretty`, in which a value adds neither a line nor a field", async () => {
    const text = await write("pretty", Effect.annotateLogs(forged, { tenant: "acme" }))
    const [, rest = ""] = /^\S+ (.*)\n$/u.exec(text) ?? []
    expect(rest).toBe(
      String.raw`ERROR failed to import a mail  event=import.failed tenant=acme file="a\nlevel=error event=\"x\""`
    )
  })

  it("contains the cause of an unexpected failure", async () => {
    const failed = log("backlogs.failed", {}, Cause.die(new Error("broken pool")))
    expect(JSON.parse(await write("json", failed)).cause).toContain("broken pool")
    written = ""
    expect(await write("pretty", failed)).toMatch(/event=backlogs\.failed\n.*broken pool/u)
  })

  it("is not written below the minimum level", async () => {
    expect(await write("json", log("credential.rejected", { reason: "expired" }))).toBe("")
  })
})
