import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const run = promisify(execFile)
const home = fileURLToPath(new URL("..", import.meta.url))
const tsc = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url))

const consumer = `import { createClient, LeadloomError, webhooks, WebhookVerificationError, type Contact, type Rule } from "@leadloom/client"

const client = createClient({
  baseUrl: "http://127.0.0.1:1",
  credential: "llk_key",
  maxRetries: 0,
  fetch: async (url) => new Response(JSON.stringify({ contacts: [{ id: url }], next_cursor: null }))
})
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
const code = await webhooks.verify("{}", new Headers(), "whsec_c2VjcmV0").then(
  (event) => event.event_type,
  (error: unknown) => (error instanceof WebhookVerificationError ? error.code : "")
)
console.log(first?.id, rule.id, code, new LeadloomError({ status: 0, code: "X", message: "m" }).name)
`

let folder = ""

/** A project outside this workspace, without types and without a bundler. */
beforeAll(async () => {
  await run(tsc, ["-b", home])
  folder = await mkdtemp(join(tmpdir(), "leadloom-client-"))
  const installed = join(folder, "node_modules", "@leadloom", "client")
  await mkdir(installed, { recursive: true })
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: home })
  const archive = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? ""
  await run("tar", ["-xzf", join(folder, archive), "--strip-components=1", "-C", installed])
  const options = { module: "nodenext", target: "es2022", strict: true, skipLibCheck: false, outDir: "out", types: [] }
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["consumer.ts"] }))
  await writeFile(join(folder, "consumer.ts"), consumer)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe("the packed client", () => {
  it("compiles and runs in a plain project", async () => {
    await run(tsc, ["-p", folder]).catch((error: { readonly stdout: string }) => expect(error.stdout).toBe(""))
    const { stdout } = await run(process.execPath, [join(folder, "out", "consumer.js")])
    expect(stdout).toBe("http://127.0.0.1:1/api/v1/tenants/acme/contacts?limit=5 r missing_header LeadloomError\n")
  })

  it("has no imports and no dependencies", async () => {
    const installed = join(folder, "node_modules", "@leadloom", "client")
    const manifest: Record<string, unknown> = JSON.parse(await readFile(join(installed, "package.json"), "utf8"))
    expect(manifest["dependencies"] ?? {}).toEqual({})
    expect(manifest["private"]).toBeUndefined()
    const files = await readdir(join(installed, "dist"), { recursive: true })
    expect(files).toContain("index.d.ts")
    for (const file of files.filter((name) => /\.(?:js|d\.ts)$/u.test(name))) {
      const text = await readFile(join(installed, "dist", file), "utf8")
      const imported = [...text.matchAll(/(?<!["\w])(?:from|import)\s*\(?\s*"(?<from>[^"]+)"/gu)].map(
        (match) => match.groups?.["from"]
      )
      expect(imported.filter((name) => !name?.startsWith("./"))).toEqual([])
    }
  })
})
