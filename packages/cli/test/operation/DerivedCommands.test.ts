import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { fakeTerminal, makeFolder, removeFolder, runOn } from "../FakeTerminal.ts"
import { failing, type Seen, startStub, type StubAnswer, type StubServer } from "../StubServer.ts"

let home = ""
let stub: StubServer | null = null

beforeAll(async () => {
  home = await makeFolder()
})
afterAll(() => removeFolder(home))
afterEach(async () => {
  await stub?.close()
  stub = null
})

const answering = async (answer: (seen: Seen) => StubAnswer): Promise<StubServer> => {
  stub = await startStub(answer)
  return stub
}

/** Runs a command against the stub with an API key and standard input. */
const leadloom = (args: ReadonlyArray<string>, input = "", env: Readonly<Record<string, string>> = {}) =>
  runOn(
    fakeTerminal(
      home,
      { LEADLOOM_URL: stub?.url, LEADLOOM_API_KEY: "llk_tenant", ...env },
      { readInput: () => Promise.resolve(input), readBytes: () => Promise.resolve(new TextEncoder().encode(input)) }
    ),
    args
  )

const sent = (): Seen | undefined => stub?.seen.at(-1)
const ok = (body: unknown = {}): StubAnswer => ({ status: 200, body })
const lead = { id: "lead_1", contact_id: "con_1" }

describe("a command of an operation", () => {
  it("sends path parameters, query parameters and the tenant", async () => {
    await answering(() => ok({ leads: [], next_cursor: null }))
    const ran = await leadloom(["leads", "list", "--tenant", "acme", "--state", "open", "--limit", "20"])
    expect(ran).toEqual({ exitCode: 0, out: "No leads.\n", err: "" })
    expect(sent()).toMatchObject({ method: "GET", path: "/api/v1/tenants/acme/leads?state=open&limit=20" })
    await leadloom(["leads", "find", "lead/1", "--json"])
    expect(sent()?.path).toBe("/api/v1/leads/lead%2F1")
  })

  it("takes the tenant from LEADLOOM_TENANT or from the profile", async () => {
    await answering(() => ok({ leads: [], next_cursor: null }))
    await leadloom(["leads", "list"], "", { LEADLOOM_TENANT: "acme" })
    expect(sent()?.path).toBe("/api/v1/tenants/acme/leads")
    const missing = await leadloom(["leads", "list"])
    expect(missing).toMatchObject({ exitCode: 2, err: "Pass --tenant <id>, or set LEADLOOM_TENANT.\n" })
  })

  it("names the acting user in operations of agents only", async () => {
    const { seen } = await answering(() => ok({ leads: [], next_cursor: null }))
    const agent = { LEADLOOM_ACTING_USER: "usr_ann", LEADLOOM_TENANT: "acme" }
    await leadloom(["leads", "list"], "", agent)
    await leadloom(["leads", "list", "--acting-user", "usr_bob"], "", agent)
    await leadloom(["teams", "create", "--name", "Sales", "--json"], "", agent)
    await leadloom(["api", "GET", "/tenants/acme/leads", "--acting-user", "usr_bob"])
    expect(seen.map(({ actingUser }) => actingUser)).toEqual(["usr_ann", "usr_bob", undefined, "usr_bob"])
  })

  it.each([
    ["a value that is no choice", ["leads", "list", "--tenant", "a", "--state", "boiling"], "Allowed choices are open"],
    ["a number out of range", ["leads", "list", "--tenant", "a", "--limit", "101"], "integer from 1 to 100"],
    ["a text instead of a number", ["billing", "checkout", "--credits", "many"], "Must be"],
    ["a choice in a list", ["search", "roof", "--tenant", "a", "--types", "mails"], "Allowed choices are contacts"],
    ["an argument that is no identifier", ["leads", "find", ".."], "is not a valid identifier"],
    ["a missing argument", ["leads", "find"], "Missing required argument"],
    ["data that is not JSON", ["leads", "create", "--tenant", "a", "--data", "{"], "--data is not JSON"],
    ["a file that does not exist", ["leads", "create", "--tenant", "a", "--data", "@/nowhere"], "Cannot read /nowhere"],
    ["a missing body", ["data-rights", "import-archive", "--tenant", "a"], "Pass the body"]
  ])("rejects %s before any request", async (_, args, message) => {
    const { seen } = await answering(() => ok())
    expect(await leadloom(args)).toMatchObject({ exitCode: 2, err: expect.stringContaining(message) })
    expect(seen).toEqual([])
  })

  it("sends options as fields of the body, with their types", async () => {
    await answering(() => ok(lead))
    await leadloom(["search", "roof", "--tenant", "a", "--limit", "2", "--deep", "--types", "contacts", "--json"])
    expect(sent()?.body).toEqual({ query: "roof", limit: 2, deep: true, types: ["contacts"] })
    await leadloom(["leads", "create", "--tenant", "a", "--no-run-pipeline", "--subject", "Roof", "--json"])
    expect(sent()?.body).toEqual({ run_pipeline: false, subject: "Roof" })
    await leadloom(["contacts", "update", "con_1", "--tenant", "a", "--tags", "x", "--tags", "y", "--json"])
    expect(sent()).toMatchObject({ method: "PATCH", body: { tags: ["x", "y"] } })
  })

  it("reads the body from a file, from standard input or from the option, and adds the options to it", async () => {
    await answering(() => ok(lead))
    const file = join(home, "lead.json")
    await writeFile(file, JSON.stringify({ subject: "File", assignee: "nina" }))
    const update = ["leads", "update", "lead_1", "--tenant", "a", "--json", "--data"]
    await leadloom([...update, `@${file}`])
    expect(sent()?.body).toEqual({ subject: "File", assignee: "nina" })
    await leadloom([...update, "-"], '{"subject":null}')
    expect(sent()?.body).toEqual({ subject: null })
    await leadloom([...update, '{"subject":"Text"}', "--assignee", "otto"])
    expect(sent()?.body).toEqual({ subject: "Text", assignee: "otto" })
    expect(await leadloom([...update, "[1]", "--assignee", "otto"])).toMatchObject({ exitCode: 2 })
  })

  it("reads secrets from a file or from standard input only", async () => {
    await answering(() => ok())
    const setKey = ["assistant", "set-retell-key", "--tenant", "a", "--json"]
    await leadloom([...setKey, "--retell-key-file", "-"], "key_of_retell\n")
    expect(sent()?.body).toEqual({ api_key: "key_of_retell" })
    const help = await leadloom(["assistant", "set-retell-key", "--help"])
    expect(help.out).toContain("--retell-key-file <path>")
  })

  it("sends the idempotency key and the expected version", async () => {
    const headers: Array<Record<string, string>> = []
    const fetched = globalThis.fetch
    globalThis.fetch = async (_, init) => {
      headers.push(Object(init?.headers))
      return Response.json(lead)
    }
    const env = { LEADLOOM_URL: "http://127.0.0.1:1", LEADLOOM_ADMIN_KEY: "admin" }
    try {
      await leadloom(["leads", "create", "--tenant", "a", "--idempotency-key", "k-1", "--json"], "", env)
      await leadloom(["config", "update", "--tenant", "a", "--if-version", "3", "--data", "{}"], "", env)
    } finally {
      globalThis.fetch = fetched
    }
    expect(headers[0]).toMatchObject({ "idempotency-key": "k-1", authorization: "Bearer llk_tenant" })
    expect(headers[1]).toMatchObject({ "if-match": '"3"', authorization: "Bearer admin" })
  })

  it("reads all pages with --all", async () => {
    const contact = (id: string) => ({ id, name: id, email: null, phone: null })
    await answering(({ path }) =>
      path.endsWith("cursor=two")
        ? ok({ contacts: [contact("con_2")], next_cursor: null })
        : ok({ contacts: [contact("con_1")], next_cursor: "two" })
    )
    const list = ["contacts", "list", "--tenant", "a"]
    const first = await leadloom(list)
    expect(first.out).not.toContain("con_2")
    expect(first.err).toBe("Next page: --cursor two. All pages: --all\n")
    const all = await leadloom([...list, "--all", "--json"])
    expect(JSON.parse(all.out)).toEqual({ contacts: [contact("con_1"), contact("con_2")], next_cursor: null })
    expect(await leadloom([...list, "--all"])).toMatchObject({ err: "", out: expect.stringMatching(/con_1.*\ncon_2/u) })
  })

  it("continues a list whose parameters are in the body", async () => {
    await answering(({ body }) =>
      Object(body).cursor === "two"
        ? ok({ contacts: [], conversations: [], since: null, complete: true, next_cursor: null })
        : ok({ contacts: [], conversations: [], since: null, complete: true, next_cursor: "two" })
    )
    expect((await leadloom(["search", "roof", "--tenant", "a", "--all"])).out).toBe("No results.\n")
    expect(sent()?.body).toEqual({ query: "roof", cursor: "two" })
  })

  it("writes a file to standard output or to --out", async () => {
    await answering(() => ok("bytes"))
    const download = ["messages", "raw", "msg_1", "--tenant", "a"]
    expect(await leadloom(download)).toEqual({ exitCode: 0, out: '"bytes"', err: "" })
    const out = join(home, "message.eml")
    expect(await leadloom([...download, "--out", out])).toEqual({ exitCode: 0, out: "", err: "" })
    expect(await readFile(out, "utf8")).toBe('"bytes"')
    expect(await leadloom([...download, "--out", home])).toMatchObject({ exitCode: 2 })
  })

  it("prints JSON when its operation has no other text, and succeeds without a body", async () => {
    await answering(({ method }) => (method === "DELETE" ? { status: 204 } : ok({ status: "ok" })))
    expect((await leadloom(["system", "health"])).out).toBe('{\n  "status": "ok"\n}\n')
    const removed = await leadloom(["assistant", "remove", "--tenant", "a", "--json"])
    expect(JSON.parse(removed.out)).toEqual({ success: true })
  })

  it("reports failures with their exit code", async () => {
    await answering(() => failing(404, "NOT_FOUND"))
    expect(await leadloom(["leads", "find", "lead_1"])).toMatchObject({ exitCode: 5, out: "" })
    const json = await leadloom(["leads", "find", "lead_1", "--json"])
    expect(JSON.parse(json.err)).toMatchObject({ error: { code: "NOT_FOUND" } })
    const keyless = await runOn(fakeTerminal(home, { LEADLOOM_URL: stub?.url }), ["leads", "find", "lead_1"])
    expect(keyless.exitCode).toBe(4)
  })
})

describe("leadloom api", () => {
  it.each([
    ["tenants/acme/leads?limit=1", "/api/v1/tenants/acme/leads?limit=1"],
    ["/tenants/acme/leads", "/api/v1/tenants/acme/leads"],
    ["/api/v1/tenants/acme/leads", "/api/v1/tenants/acme/leads"],
    ["/openapi.json", "/openapi.json"],
    ["health", "/health"]
  ])("sends %s to %s and prints the body", async (given, path) => {
    await answering(() => ok({ status: "ok" }))
    expect(await leadloom(["api", "get", given])).toEqual({ exitCode: 0, out: '{"status":"ok"}', err: "" })
    expect(sent()).toMatchObject({ method: "GET", path, credential: "Bearer llk_tenant" })
  })

  it("sends a body from a file, from standard input or from the option", async () => {
    await answering(() => ok())
    const file = join(home, "body.json")
    await writeFile(file, '{"a":1}')
    for (const [data, input] of [
      [`@${file}`, ""],
      ["-", '{"a":1}'],
      ['{"a":1}', ""]
    ] as const) {
      await leadloom(["api", "POST", "search", "--data", data], input)
      expect(sent()).toMatchObject({ method: "POST", body: { a: 1 } })
    }
  })

  it("fails with the usual exit codes", async () => {
    await answering(() => failing(409, "CONFLICT"))
    expect(await leadloom(["api", "POST", "tenants"])).toMatchObject({ exitCode: 6, out: "" })
    expect(await leadloom(["api", "FETCH", "tenants"])).toMatchObject({ exitCode: 2 })
  })
})
