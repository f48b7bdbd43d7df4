import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fakeTerminal, makeFolder, type Ran, removeFolder, runOn } from "../FakeTerminal.ts"
import { adminKey, type RunningServer, startServer } from "../ServerProcess.ts"
import { startStub } from "../StubServer.ts"

let folder = ""
let server: RunningServer | null = null

beforeAll(async () => {
  folder = await makeFolder()
  server = await startServer(join(folder, "data"))
})
afterAll(async () => {
  await server?.stop()
  await removeFolder(folder)
})

interface Around {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  readonly answers?: ReadonlyArray<string>
}

const leadloom = (line: string, { answers, env = {}, input = "" }: Around = {}): Promise<Ran> => {
  const open = [...(answers ?? [])]
  const given = { LEADLOOM_URL: server?.url ?? "", LEADLOOM_ADMIN_KEY: adminKey, ...env }
  const ask = answers === undefined ? null : () => Promise.resolve(open.shift() ?? "n")
  return runOn(fakeTerminal(folder, given, { readInput: () => Promise.resolve(input), ask }), line.split(" "))
}

/** Creates a tenant and returns its configuration with `changes`, as text. */
const tenant = async (id: string, changes: object = {}): Promise<string> => {
  expect(await leadloom(`tenants create ${id} --name Some --preset home_services`)).toMatchObject({ exitCode: 0 })
  const { out } = await leadloom(`config get --tenant ${id}`)
  return JSON.stringify({ ...JSON.parse(out), ...changes })
}

const versionOf = async (id: string): Promise<number> =>
  JSON.parse((await leadloom(`config get --tenant ${id} --json`)).out).version

const fileOf = async (name: string, text: string): Promise<string> => {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}

/** Creates an editor: a program whose module receives the text and returns the new text. */
const editorOf = async (name: string, body: string): Promise<Readonly<Record<string, string>>> => {
  const program = await fileOf(
    `${name}.mjs`,
    `import { existsSync, readFileSync, writeFileSync } from "node:fs"
const file = process.argv[2]
const edit = async (text) => { ${body} }
writeFileSync(file, await edit(readFileSync(file, "utf8")))
`
  )
  return { EDITOR: `${process.execPath} ${program}` }
}

const replace = (before: string, after: string): string =>
  `return text.replace(${JSON.stringify(before)}, ${JSON.stringify(after)})`

describe("config put", () => {
  it("reports an unchanged configuration and saves no version", async () => {
    const text = await tenant("same")
    const version = await versionOf("same")
    const file = await fileOf("same.json", text)
    for (const line of [`config put ${file}`, `config put @${file}`, `config put --file ${file}`, "config put -"]) {
      const ran = await leadloom(`${line} --tenant same`, { input: text })
      expect(ran).toEqual({ exitCode: 0, out: `The configuration is unchanged. Version ${version} stays.\n`, err: "" })
    }
    expect(await versionOf("same")).toBe(version)
  })

  it("ignores the order of fields and absent defaults", async () => {
    await tenant("order")
    const { reply_wait_seconds: _, ...config } = JSON.parse((await leadloom("config get --tenant order")).out)
    const input = JSON.stringify(Object.fromEntries(Object.entries(config).toReversed()))
    expect((await leadloom("config put --tenant order", { input })).out).toContain("unchanged")
  })

  it("carries the version of its input, so that a concurrent change is not overwritten", async () => {
    const changed = await tenant("race", { takeover_hours: 5 })
    const read = JSON.parse((await leadloom("config get --tenant race --json")).out)
    expect((await leadloom("config put --tenant race", { input: changed })).exitCode).toBe(0)
    const input = JSON.stringify({ ...read, config: { ...read.config, takeover_hours: 9 } })
    const refused = await leadloom("config put --tenant race", { input })
    expect(refused).toMatchObject({ exitCode: 6, err: expect.stringContaining("leadloom config diff") })
    expect(JSON.parse((await leadloom("config get --tenant race")).out).takeover_hours).toBe(5)
  })
})

describe("config diff", () => {
  it("shows short values in sentences, and the changed lines of long values", async () => {
    const assistant = { instructions: "", knowledge: "Roofs.\nWe answer within a day.\nNo gutters.", link_hosts: [] }
    await leadloom("config put --tenant diff", { input: await tenant("diff", { assistant }) })
    const config = JSON.parse((await leadloom("config get --tenant diff")).out)
    const [, ...rules] = config.rules
    const knowledge = "Roofs.\nWe answer within an hour, also on Sundays and on every public holiday.\nNo gutters."
    const input = JSON.stringify({ ...config, takeover_hours: 5, assistant: { ...assistant, knowledge }, rules })
    const ran = await leadloom("config diff --tenant diff", { input })
    const removed = [
      `rules.${config.rules[0].id} "${config.rules[0].name}" was removed`,
      ...JSON.stringify(config.rules[0], null, 2)
        .split("\n")
        .map((line) => `  - ${line}`)
    ].join("\n")
    expect(ran).toMatchObject({ exitCode: 0, err: "" })
    expect(ran.out).toContain(`takeover_hours is 5 instead of ${config.takeover_hours}\n`)
    expect(ran.out).toContain(
      `assistant.knowledge was changed
  - We answer within a day.
  + We answer within an hour, also on Sundays and on every public holiday.
`
    )
    expect(ran.out).toContain(removed)
    expect((await leadloom("config diff --tenant diff --exit-code", { input })).exitCode).toBe(1)
  })

  it("reports identical configurations", async () => {
    const input = await tenant("identical")
    const ran = await leadloom("config diff --tenant identical --exit-code", { input })
    expect(ran).toEqual({ exitCode: 0, out: "The file is identical to version 1.\n", err: "" })
  })
})

describe("config validate", () => {
  it("accepts a valid configuration without a server and without a key", async () => {
    const file = await fileOf("valid.json", await tenant("valid"))
    const ran = await runOn(fakeTerminal(folder), ["config", "validate", file])
    expect(ran).toEqual({ exitCode: 0, out: "The configuration is valid: 9 rules, 4 guardrails.\n", err: "" })
  })

  it("names only the closest branch of a union, with the permitted and similar values", async () => {
    const config = JSON.parse(await tenant("closest"))
    const when = { all: [{ fact: "scor.tier", op: "eq", value: "hot" }, { any: [{ nott: { fact: "x" } }] }] }
    const rules = [{ id: "a", name: "A", priority: 1, when, actions: [{ type: "tagg", tag: "x" }] }]
    const ran = await leadloom("config validate", { input: JSON.stringify({ ...config, rules }) })
    expect(ran).toEqual({
      exitCode: 1,
      out: "",
      err: `The configuration is invalid.
  rules.0.when.all.1.any.0.nott: Unknown field. Did you mean not?
  rules.0.when.all.1.any.0.not: This field is required.
  rules.0.actions.0.type: Expected one of assign, tag, untag, set_field, add_note, create_task, transition, move_stage, reply, notify, crm_action, close_conversation, snooze_conversation, start_sequence, stop_sequence, send_template, forward, call_webhook, suppress_reply, stop. Did you mean tag?
`
    })
  })

  it("checks facts, templates and time zones like the server", async () => {
    const config = JSON.parse(await tenant("deep"))
    const when = { fact: "scor.tier", op: "eq", value: "hot" }
    const rules = [{ id: "a", name: "A", priority: 1, when, actions: [{ type: "reply", template: "{{ contact" }] }]
    const input = JSON.stringify({ ...config, time_zone: "Mars", rules })
    const local = await leadloom("config validate", { input })
    const paths = local.err.match(/^ {2}[^:]+/gmu)
    expect(paths).toEqual(["  time_zone", "  rules.0.when.fact", "  rules.0.actions.0.template"])
    const remote = await leadloom("config put --tenant deep", { input })
    expect(remote.err.match(/^ {2}[^:]+/gmu)).toEqual(paths)
  })
})

describe("config edit", () => {
  it("saves the text of the editor", async () => {
    await tenant("edit")
    const env = await editorOf("edit", replace('"classifier": "keywords"', '"classifier": "off"'))
    const ran = await leadloom("config edit --tenant edit", { env })
    expect(ran).toEqual({ exitCode: 0, out: "Saved version 2 with 9 rules.\n", err: "" })
    expect(JSON.parse((await leadloom("config get --tenant edit")).out).classifier).toBe("off")
  })

  it("saves nothing when the text is unchanged or the editor fails", async () => {
    await tenant("still")
    const unchanged = await leadloom("config edit --tenant still", { env: await editorOf("still", "return text") })
    expect(unchanged.out).toBe("The configuration is unchanged. Version 1 stays.\n")
    const failed = await leadloom("config edit --tenant still", { env: { VISUAL: "exit 3 #" } })
    expect(failed).toMatchObject({ exitCode: 1, err: expect.stringContaining("ended with 3. Set VISUAL or EDITOR") })
    expect(await versionOf("still")).toBe(1)
  })

  it("keeps the text in a file when it cannot be saved", async () => {
    await tenant("kept")
    const env = await editorOf("kept", replace('"classifier"', '"classifer"'))
    const ran = await leadloom("config edit --tenant kept", { env })
    expect(ran.exitCode).toBe(1)
    expect(ran.err).toContain("classifer: Unknown field. Did you mean classifier?")
    const file = /Your text is in (?<file>\S+)\. /u.exec(ran.err)?.groups?.["file"] ?? ""
    expect(await readFile(file, "utf8")).toContain('"classifer"')
    expect(ran.err).toContain(`leadloom config put ${file} --tenant kept --if-version 1`)
    await removeFolder(join(file, ".."))
  })

  it("offers to edit again until the text is valid", async () => {
    await tenant("again")
    const mark = join(folder, "again.mark")
    const env = await editorOf(
      "again",
      `if (existsSync(${JSON.stringify(mark)})) return text.replace("{{", "{")
       writeFileSync(${JSON.stringify(mark)}, "")
       return text.replace("{", "{{").replace("keywords", "off")`
    )
    const ran = await leadloom("config edit --tenant again", { env, answers: ["y"] })
    expect(ran).toMatchObject({ exitCode: 0, out: "Saved version 2 with 9 rules.\n" })
    expect(ran.err).toMatch(/^The text is not JSON: .*\n$/u)
  })

  it("reports a concurrent change, shows it, and overwrites nothing without the user", async () => {
    await tenant("both")
    const env = await editorOf(
      "both",
      `if (!text.includes("keywords")) return text
       const url = "${server?.url}/api/v1/config/both"
       const headers = { authorization: "Bearer ${adminKey}", "content-type": "application/json" }
       const body = JSON.stringify({ takeover_hours: 5 })
       const answer = await fetch(url, { method: "PATCH", headers, body })
       if (answer.status !== 200) throw new Error(await answer.text())
       return text.replace("keywords", "off")`
    )
    const refused = await leadloom("config edit --tenant both", { env, answers: ["n"] })
    expect(refused.exitCode).toBe(6)
    expect(refused.err).toMatch(/^Version 2 has these changes\. Add them .*\ntakeover_hours is 5 instead of \d+\n/mu)
    expect(refused.err).toContain("--if-version 2")
    const { classifier, takeover_hours } = JSON.parse((await leadloom("config get --tenant both")).out)
    expect([classifier, takeover_hours]).toEqual(["keywords", 5])
    const file = /Your text is in (?<file>\S+)\. /u.exec(refused.err)?.groups?.["file"] ?? ""
    await removeFolder(join(file, ".."))
  })
})

describe("leadloom config audit", () => {
  it("names the user as whom the author acted", async () => {
    const change = { action: "patch", preset: null, changed_at: "2026-03-02T10:00:00.000Z", changes: [], omitted: 0 }
    const entries = [
      { ...change, version: 3, from_version: 2, changed_by: "user:ann", changed_by_user: "usr_1" },
      { ...change, version: 2, from_version: 1, changed_by: "admin", changed_by_user: null }
    ]
    const stub = await startStub(() => ({ status: 200, body: { entries, next_cursor: null } }))
    const ran = await leadloom("config audit --tenant acme", { env: { LEADLOOM_URL: stub.url } })
    await stub.close()
    expect(ran.out).toBe(
      "version 3 from 2, 2026-03-02T10:00:00.000Z, by user:ann as usr_1 (patch)\n" +
        "version 2 from 1, 2026-03-02T10:00:00.000Z, by admin (patch)\n"
    )
  })
})
