import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { join } from "node:path"
import { promisify } from "node:util"
import { build } from "esbuild"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import tsupConfig from "../../cli/tsup.config.ts"

const run = promisify(execFile)
const packages = fileURLToPath(new URL("../..", import.meta.url))

/** Parses a mail and prints the result. */
const probe = `
  import { Effect } from "effect"
  import { MailParser } from "@leadloom/core/internal/port/provider/MailParser"
  import { layer } from "@leadloom/connectors/internal/parse/PooledParser"
  const raw = Buffer.from("Subject: Roof\\r\\n\\r\\nHi\\r\\n\\r\\n> before")
  const parsed = Effect.flatMap(MailParser, (parser) => parser.parse(raw, { lane: "one", mediaType: "message/rfc822" }))
  const { body, quotedText, subject, unparsed } = await Effect.runPromise(Effect.provide(parsed, layer))
  console.log(JSON.stringify({ body, quotedText, subject, unparsed }))
`

let folder = ""
beforeEach(async () => {
  const cache = join(packages, "testkit", "node_modules", ".cache")
  await mkdir(cache, { recursive: true })
  folder = await mkdtemp(join(cache, "parse-bundle-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const bundle = (entryPoints: Readonly<Record<string, string>>) =>
  build({
    entryPoints: { ...entryPoints },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    metafile: true,
    conditions: ["leadloom:source", "node", "module"],
    banner: { js: 'import { createRequire as made } from "node:module"\nconst require = made(import.meta.url)' },
    plugins: [
      {
        name: "probe",
        setup: ({ onLoad, onResolve }) => {
          onResolve({ filter: new RegExp("^probe$") }, () => ({ path: "probe", namespace: "probe" }))
          onLoad({ filter: new RegExp(".*"), namespace: "probe" }, () => ({
            contents: probe,
            resolveDir: join(packages, "connectors")
          }))
        }
      }
    ]
  })

/** Returns the entry of the parse program in the bundle of the CLI. */
const programEntry = (): Readonly<Record<string, string>> => {
  const entry = "entry" in tsupConfig ? tsupConfig.entry : undefined
  const file = typeof entry === "object" && !Array.isArray(entry) ? entry["ParseProgram"] : undefined
  return { ParseProgram: join(packages, "cli", file ?? "missing") }
}

describe("the program that parses mail", () => {
  it("starts from the folder of the bundle", async () => {
    await bundle({ probe: "probe", ...programEntry() })
    const { stdout } = await run(process.execPath, [join(folder, "probe.mjs")])
    expect(JSON.parse(stdout)).toEqual({ body: "Hi", quotedText: "> before", subject: "Roof" })
  }, 120_000)

  it("imports no large module, because a replacement process must start quickly", async () => {
    const { metafile } = await bundle(programEntry())
    expect(Object.keys(metafile.inputs).filter((path) => /node_modules\/effect\//u.test(path))).toEqual([])
  }, 120_000)
})
