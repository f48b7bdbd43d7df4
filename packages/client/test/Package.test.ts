import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const run = promisify(execFile)
const home = fileURLToPath(new URL("..", import.meta.url))
const tsc = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url))
const tsup = fileURLToPath(new URL("../../../node_modules/.bin/tsup", import.meta.url))

const options = `baseUrl: "http://127.0.0.1:1",
  credential: async () => "llk_key",
  maxRetries: 0,
  fetch: async (url) => new Response(JSON.stringify({ contacts: [{ id: url }], next_cursor: null }))`

/** The programs that users of the package could write. Every program states its use of types with `@ts-expect-error`. */
const programs = {
  "consumer.mts": `import { createClient, isLeadloomError, LeadloomError, webhooks, WebhookVerificationError, type ConfigPatch, type Contact, type EventEnvelope, type Rule } from "@leadloom/client"

const client = createClient({ ${options} })
const page = await client.contacts.list("acme", { limit: 5 })
const first: Contact | undefined = page.contacts[0]
const rule: Rule = {
  id: "r", name: "r", priority: 1,
  when: { all: [{ not: { any: [{ fact: "score.tier", op: "eq", value: "hot" }] } }] },
  actions: [{ type: "stop" }]
}
// @ts-expect-error a contact has no such field
first?.nickname
// @ts-expect-error the query knows no such parameter
client.contacts.list("acme", { page: 2 })
for await (const contact of client.contacts.list("acme")) {
  const stored: string = contact.id
  void client.contacts.get("acme", stored)
  void client.contacts.get("acme", contact.id)
  // @ts-expect-error the id of a contact is not the id of a lead
  client.leads.get("acme", contact.id)
}
const patch: ConfigPatch = { reply_mode: "draft", tiers: { hot: 80 }, score_weights: { urgency: null }, voice: null }
// @ts-expect-error no such mode
const wrongMode: ConfigPatch = { reply_mode: "maybe" }
// @ts-expect-error a required setting cannot be removed
const removed: ConfigPatch = { tiers: null }
// @ts-expect-error no such setting
const unknownSetting: ConfigPatch = { colour: "red" }
const handle = (event: EventEnvelope): string => {
  // @ts-expect-error the data depends on the type of the event
  event.data.previous_tier
  if (event.event_type !== "lead.tier_changed") return ""
  return "redacted" in event.data ? "" : event.data.previous_tier
}
const retry = (error: unknown): string => {
  if (!isLeadloomError(error, "BAD_REQUEST")) return ""
  // @ts-expect-error the code is known
  if (error.code === "NOT_FOUND") return ""
  return (error.details ?? []).map((issue) => issue.path).join()
}
const code = await webhooks.verify("{}", new Headers(), "whsec_c2VjcmV0").then(
  (event) => handle(event),
  (error: unknown) => (error instanceof WebhookVerificationError ? error.code : "")
)
const { status } = await client.contacts.list("acme").withResponse()
void [patch, wrongMode, removed, unknownSetting, retry]
console.log(first?.id, rule.id, code, status, new LeadloomError({ status: 0, code: "X", message: "m" }).name)
`,
  "consumer.cts": `import { createClient, LeadloomError, type ContactPage } from "@leadloom/client"

const client = createClient({ ${options} })
client.contacts.list("acme").then((page: ContactPage) => console.log(page.contacts.length, typeof LeadloomError))
`,
  "effect.mts": `import { isLeadloomError, LeadloomError } from "@leadloom/client"
import { Leadloom } from "@leadloom/client/effect"
import { Effect, Stream } from "effect"

const ids = Leadloom.pipe(
  Effect.flatMap((client) => Stream.runCollect(client.contacts.list("acme").stream)),
  Effect.map((contacts) => contacts.length),
  Effect.catchTag("NOT_FOUND", (error) => Effect.succeed(error.status)),
  Effect.provide(Leadloom.layer({ ${options} }))
)
const failed = Leadloom.pipe(
  Effect.flatMap((client) => client.leads.get("acme", "lead_1")),
  Effect.flip,
  Effect.map((error) => error instanceof LeadloomError && isLeadloomError(error, "NETWORK_ERROR")),
  Effect.provide(Leadloom.layer({ baseUrl: "http://127.0.0.1:1", maxRetries: 0, fetch: () => Promise.reject(new Error("down")) }))
)
console.log(await Effect.runPromise(Effect.all([ids, failed])))
`
}

let folder = ""

/** A project outside this workspace, without types and without a bundler. */
beforeAll(async () => {
  await run(tsc, ["-b", home])
  await run(tsup, [], { cwd: home })
  folder = await mkdtemp(join(tmpdir(), "leadloom-client-"))
  const installed = join(folder, "node_modules", "@leadloom", "client")
  await mkdir(installed, { recursive: true })
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: home })
  const archive = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? ""
  await run("tar", ["-xzf", join(folder, archive), "--strip-components=1", "-C", installed])
  await symlink(join(home, "../../node_modules/effect"), join(folder, "node_modules", "effect"), "dir")
  const compilerOptions = { module: "nodenext", target: "es2022", lib: ["es2022", "dom", "dom.iterable"], strict: true }
  const project = { ...compilerOptions, outDir: "out", types: [] }
  await writeFile(join(folder, "package.json"), "{}")
  for (const [name, text] of Object.entries(programs)) await writeFile(join(folder, name), text)
  const projects = {
    // Checks the declarations of the package too.
    "tsconfig.json": { compilerOptions: { ...project, skipLibCheck: false }, include: ["consumer.*"] },
    "tsconfig.effect.json": { compilerOptions: { ...project, skipLibCheck: true }, include: ["effect.mts"] }
  }
  for (const [name, text] of Object.entries(projects)) await writeFile(join(folder, name), JSON.stringify(text))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Bundles a program for browsers and returns the code. */
const bundle = async (contents: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false
  })
  return outputFiles[0]?.text ?? ""
}
const gzippedBytes = (text: string): number => gzipSync(text, { level: 9 }).length

describe("the packed client", () => {
  const compile = (project: string) =>
    run(tsc, ["-p", join(folder, project)]).catch((error: { readonly stdout: string }) => expect(error.stdout).toBe(""))
  const start = async (name: string) => (await run(process.execPath, [join(folder, "out", name)])).stdout

  it("compiles and runs in plain projects, as ESM and as CommonJS", async () => {
    await compile("tsconfig.json")
    expect(await start("consumer.mjs")).toBe(
      "http://127.0.0.1:1/api/v1/tenants/acme/contacts?limit=5 r missing_header 200 LeadloomError\n"
    )
    expect(await start("consumer.cjs")).toBe("1 function\n")
  })

  it("compiles and runs with Effect, whose entry shares the error class", async () => {
    await compile("tsconfig.effect.json")
    expect(await start("effect.mjs")).toBe("[ 1, true ]\n")
  })

  it("adds at most 8 KiB to a browser bundle, and only the used parts", async () => {
    const core = await bundle('import { createClient } from "@leadloom/client"; console.log(createClient)')
    expect(gzippedBytes(core)).toBeLessThanOrEqual(8 * 1024)
    const receiver = await bundle('import { webhooks } from "@leadloom/client"; console.log(webhooks.verify)')
    expect(receiver).not.toContain("/api/v1")
    expect(core).not.toContain("whsec_")
    expect(
      gzippedBytes(await bundle('import { isLeadloomError } from "@leadloom/client"; console.log(isLeadloomError)'))
    ).toBeLessThan(300)
  })

  it("has no imports and no dependencies", async () => {
    const installed = join(folder, "node_modules", "@leadloom", "client")
    const manifest: Record<string, unknown> = JSON.parse(await readFile(join(installed, "package.json"), "utf8"))
    expect(manifest["dependencies"] ?? {}).toEqual({})
    expect(manifest["private"]).toBeUndefined()
    expect(await readdir(installed)).toEqual(["LICENSE", "README.md", "dist", "package.json"])
    const files = await readdir(join(installed, "dist"), { recursive: true })
    expect(files).toContain("index.d.ts")
    for (const file of files.filter((name) => /^(?!effect\.).*\.(?:c?js|d\.c?ts)$/u.test(name))) {
      const text = await readFile(join(installed, "dist", file), "utf8")
      const imported = [...text.matchAll(/(?<!["\w])(?:from|import|require)\s*\(?\s*"(?<from>[^"]+)"/gu)].map(
        (match) => match.groups?.["from"]
      )
      expect(imported.filter((name) => !/^\.\.?\//u.test(name ?? ""))).toEqual([])
    }
  })
})
