import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fakeTerminal, makeFolder, type Ran, removeFolder, runOn } from "./FakeTerminal.ts"
import { adminKey, type RunningServer, startServer } from "./ServerProcess.ts"

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

const leadloom = (line: string, input = ""): Promise<Ran> => {
  const env = { LEADLOOM_URL: server?.url ?? "", LEADLOOM_ADMIN_KEY: adminKey }
  return runOn(fakeTerminal(folder, env, { readInput: () => Promise.resolve(input) }), line.split(" "))
}
const json = async (line: string, input = "") => {
  const ran = await leadloom(`${line} --json`, input)
  expect(ran).toMatchObject({ exitCode: 0, err: "" })
  return JSON.parse(ran.out)
}

describe("tenants", () => {
  it("are created, listed, shown and archived", async () => {
    const tenant = await json("tenants create shop --name Shop --domain example.com")
    expect(tenant).toMatchObject({ tenant_id: "shop", name: "Shop", domain: "example.com", hipaa: false })
    expect(await json("tenants get shop")).toEqual(tenant)
    expect((await json("tenants list")).tenants).toContainEqual(tenant)
    expect((await leadloom("tenants list")).out).toMatch(/^TENANT .*\n(?:.*\n)*shop +Shop +example\.com/u)
    expect(await json("tenants archive shop")).toEqual({ archived: "shop" })
    expect((await leadloom("tenants get shop")).exitCode).toBe(5)
  })

  it("have the time zone of their creation", async () => {
    const created = await leadloom("tenants create berlin --name Berlin --time-zone Europe/Berlin --preset legal")
    expect(created.out).toMatch(/^time zone +Europe\/Berlin$/mu)
    const { config } = await json("config get --tenant berlin")
    expect(config.time_zone).toBe("Europe/Berlin")
    expect(config.rules).not.toEqual([])
    expect((await leadloom("tenants create utc --name Utc")).out).toMatch(/^time zone +UTC$/mu)
    expect((await json("config get --tenant utc")).config.time_zone).toBe("UTC")
  })

  it("are not created with an unknown time zone", async () => {
    const ran = await leadloom("tenants create lost --name Lost --time-zone Berlin")
    expect(ran).toMatchObject({ exitCode: 2, err: expect.stringContaining("Did you mean Europe/Berlin?") })
    expect((await leadloom("tenants create lost --name Lost --time-zone +02:00")).exitCode).toBe(2)
    expect((await leadloom("tenants get lost")).exitCode).toBe(5)
  })

  it("cannot be created twice or with an invalid id", async () => {
    await json("tenants create twice --name Twice")
    expect((await leadloom("tenants create twice --name Twice")).exitCode).toBe(6)
    expect(await leadloom("tenants create NO! --name No")).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining("tenant_id")
    })
  })
})

describe("sources", () => {
  it("are created with a key that is shown once, listed and removed", async () => {
    await json("tenants create forms --name Forms")
    const { key } = await json("sources create website --tenant forms")
    const listed = await leadloom("sources list --tenant forms")
    expect(listed.out).toContain("website")
    expect(listed.out).not.toContain(key)
    await json("sources remove website --tenant forms")
    expect((await json("sources list --tenant forms")).sources).toEqual([])
    expect((await leadloom("sources remove website --tenant forms")).exitCode).toBe(5)
  })

  it("may serve every tenant", async () => {
    await json("sources create everywhere --all-tenants")
    expect((await leadloom("sources list --all-tenants")).out).toContain("(all)")
    await json("sources remove everywhere --all-tenants")
  })
})

describe("billing", () => {
  it("shows the billing account, activates a plan, and grants credits once per reference", async () => {
    await json("tenants create payer --name PaymentCustomer")
    expect(await json("billing status --tenant payer")).toMatchObject({ plan: "trial", provider: "local", credits: 0 })
    expect((await leadloom("billing activate --tenant payer --plan growth")).out).toMatch(/^plan +growth$/mu)
    expect((await leadloom("billing activate --tenant payer --plan trial")).exitCode).not.toBe(0)
    expect((await leadloom("billing credits list --tenant payer")).out).toContain("No credits.")
    for (const _ of [1, 2]) {
      const granted = await leadloom("billing credits grant --tenant payer --amount 40 --reference contract-7")
      expect(granted.out).toBe("payer has 40 credits after grant:contract-7.\n")
    }
    expect((await leadloom("billing credits grant --tenant payer --amount 41 --reference contract-7")).exitCode).toBe(6)
    expect((await leadloom("billing credits list --tenant payer")).out).toMatch(/grant +40 +40 +grant:contract-7/u)
    expect((await leadloom("billing credits grant --tenant payer --amount 0 --reference a")).exitCode).not.toBe(0)
  })
})

describe("keys", () => {
  it("are created, listed, rotated and revoked, with at most three active keys", async () => {
    await json("tenants create keyed --name Keyed")
    const created = await json("keys create --tenant keyed --name crm")
    const rotated = await json(`keys rotate ${created.id} --tenant keyed`)
    expect(rotated.key).not.toBe(created.key)
    const listed = await leadloom("keys list --tenant keyed")
    expect(listed.out).toContain(rotated.id)
    expect(listed.out).not.toContain(rotated.key)
    await json(`keys revoke ${rotated.id} --tenant keyed`)
    expect((await leadloom(`keys rotate ${rotated.id} --tenant keyed`)).exitCode).not.toBe(0)
    const codes = []
    for (const name of ["a", "b", "c", "d"])
      codes.push((await leadloom(`keys create --tenant keyed --name ${name}`)).exitCode)
    expect(codes).toContain(6)
  })

  it("may have scopes and an expiry, which the list shows", async () => {
    await json("tenants create limited --name Limited")
    const created = await json("keys create --tenant limited --name form --scope messages read --expires 2999-01-01")
    expect(created).toMatchObject({ scopes: ["read", "messages"], expires_at: "2999-01-01T00:00:00.000Z" })
    const listed = await leadloom("keys list --tenant limited")
    expect(listed.out).toMatch(/form +llk_\w{8}… +read, messages +active +never +2999-01-01T/u)
    expect((await leadloom("keys create --tenant limited --name wrong --scope everything")).exitCode).toBe(2)
  })

  it("are found in a leaked file or text, and revoked on request", async () => {
    await json("tenants create leaky --name Leaky")
    const { id, key } = await json("keys create --tenant leaky --name crm")
    const file = join(folder, "leak.env")
    await writeFile(file, `# somebody's\nLEADLOOM_API_KEY="${key}"\nOTHER=llk_${"x".repeat(8)}_${"y".repeat(38)}\n`)
    const reported = await leadloom(`keys check ${file}`)
    expect(reported).toMatchObject({ exitCode: 0, err: expect.stringContaining("--revoke") })
    expect(reported.out).toMatch(new RegExp(`leaky +${id} +active +valid`, "u"))
    expect(reported.out).not.toContain(key)
    const [revoked, ...more] = (await json(`keys check ${key} --revoke`)).leaked_keys
    expect([revoked, more]).toMatchObject([{ id, live: true, revoked: true }, []])
    expect((await leadloom("keys check -", key)).out).toMatch(new RegExp(`${id} +revoked +invalid`, "u"))
    expect((await leadloom("keys check -", "nothing here")).out).toBe("No Leadloom keys found.\n")
  })

  it("give access to their tenant only and cannot change its configuration", async () => {
    await json("tenants create own --name Own")
    const { key } = await json("keys create --tenant own --name crm")
    const asKey = (line: string) =>
      runOn(fakeTerminal(folder, { LEADLOOM_URL: server?.url, LEADLOOM_API_KEY: key }), line.split(" "))
    expect((await asKey("pipeline dry-run --tenant own --message hello")).exitCode).toBe(0)
    expect((await asKey("pipeline dry-run --tenant keyed --message hello")).exitCode).toBe(4)
    expect((await asKey("config get --tenant own")).exitCode).toBe(4)
  })
})

describe("sessions", () => {
  it("are created for one hour", async () => {
    await json("tenants create desk --name Desk")
    const session = await json("sessions mint --tenant desk")
    expect(session.token.split(".")).toHaveLength(2)
    expect((await leadloom("sessions mint --tenant desk")).out).toMatch(
      /^token .*\ntenant +desk\nuser +none\nexpires +\d{4}-/u
    )
  })
})

describe("config", () => {
  it("is printed in the form that config put accepts, from a file or standard input", async () => {
    await json("tenants create conf --name Conf --preset home_services")
    const printed = await leadloom("config get --tenant conf")
    const config = JSON.parse(printed.out)
    expect(config.classifier).toBe("keywords")
    const file = join(folder, "config.json")
    await writeFile(file, JSON.stringify({ ...config, reply_mode: "off" }))
    expect((await leadloom(`config put --tenant conf --file ${file}`)).out).toMatch(
      /^Saved version \d+ with 9 rules\.\n$/u
    )
    const stored = await json("config get --tenant conf")
    expect(stored.config.reply_mode).toBe("off")
    const again = { ...stored, config: { ...stored.config, reply_mode: "draft" } }
    expect((await json("config put --tenant conf", JSON.stringify(again))).version).toBeGreaterThan(stored.version)
  })

  it("is scaffolded from a preset, replaced at a given version, and has a history with authors", async () => {
    await json("tenants create office --name Office")
    expect((await leadloom("config audit --tenant office")).out).toBe("The configuration has no changes.\n")
    expect((await leadloom("config presets")).out).toMatch(/^PRESET .*\n(?:.*\n)*legal /u)
    const scaffolded = await leadloom("config scaffold --tenant office --preset legal")
    expect(scaffolded.out).toBe("Saved version 2 from the preset legal.\n")
    const stored = await json("config get --tenant office")
    const changed = JSON.stringify({ ...stored.config, takeover_hours: 5 })
    expect((await leadloom("config put --tenant office --if-version 1", changed)).err).toContain("version 2")
    expect((await leadloom("config put --tenant office --if-version one", changed)).exitCode).toBe(2)
    expect((await leadloom("config put --tenant office --if-version 2", changed)).exitCode).toBe(0)
    expect((await leadloom("config scaffold --tenant office --preset dental")).err).toContain("overwrite")
    expect((await leadloom("config audit --tenant office")).out).toMatch(
      /^version 3 from 2, \S+, by admin \(replace\)\n {2}takeover_hours is 5 instead of 168\nversion 2 from 1, /u
    )
  })

  it("is rejected with every invalid field", async () => {
    await json("tenants create strict --name Strict")
    const config = JSON.parse((await leadloom("config get --tenant strict")).out)
    const rule = {
      id: "r",
      name: "r",
      priority: 1,
      when: { fact: "score.tier", op: "eq", value: "boiling" },
      actions: [{ type: "stop" }]
    }
    const ran = await leadloom("config put --tenant strict", JSON.stringify({ ...config, rules: [rule] }))
    expect(ran).toMatchObject({ exitCode: 1, err: expect.stringContaining("rules") })
    expect((await leadloom("config put --tenant strict", "{")).exitCode).toBe(2)
  })

  it("of the demo is valid", async () => {
    await json("tenants create sample --name Sample")
    const config = await readFile(new URL("../demo/config.json", import.meta.url), "utf8")
    expect((await json("config put --tenant sample", config)).config.rules).toHaveLength(6)
  })
})

describe("pipeline dry-run", () => {
  it("prints classification, score, rules and reply, and stores nothing", async () => {
    await json("tenants create dry --name Dry --preset home_services")
    const args = [
      "pipeline",
      "dry-run",
      "--tenant",
      "dry",
      "--message",
      "How much is a quote? Urgent leak!",
      "--name",
      "Ada Byron"
    ]
    const env = { LEADLOOM_URL: server?.url, LEADLOOM_ADMIN_KEY: adminKey }
    const ran = await runOn(fakeTerminal(folder, env), [...args, "--email", "ada@example.org", "--channel", "sms"])
    expect(ran.exitCode).toBe(0)
    expect(ran.out).toMatch(/classified +pricing, urgency high/u)
    expect(ran.out).toMatch(/score +\d+, \w+ \(inbound \+20/u)
    expect(ran.out).toContain("Hello Ada,")
    expect(ran.out).toContain("draft by sms")
  })
})

describe("email", () => {
  it("connects an account, sends through it and disconnects it", async () => {
    await json("tenants create mailing --name Mailing --domain mailing.example")
    expect((await leadloom("email grants --tenant mailing")).out).toContain("email connect")
    const grant = await json("email connect Sales@mailing.example --tenant mailing --name Sales")
    expect(grant).toMatchObject({ email: "sales@mailing.example", provider: "smtp", status: "active" })
    expect((await leadloom("email connect b@mailing.example --tenant mailing")).exitCode).toBe(6)
    expect((await leadloom("email grants --tenant mailing")).out).toContain(grant.grant_id)
    const aliases = "a@mailing.example b@mailing.example"
    expect(await json(`email aliases ${aliases} --tenant mailing`)).toEqual({ aliases: aliases.split(" ") })
    expect((await leadloom("email aliases --tenant mailing")).out).toBe("a@mailing.example\nb@mailing.example\n")
    expect(await json("email aliases --none --tenant mailing")).toEqual({ aliases: [] })
    expect(await json("email signature --tenant mailing", "Kind regards\n")).toEqual({ success: true })
    const send = "email send --tenant mailing --to jo@customer.example --subject Hi --key k-1"
    const sent = await json(send, "Hello")
    expect(sent).toMatchObject({ success: true, message_id: expect.stringMatching(/^msg_/u) })
    expect(await json(send, "Hello")).toEqual(sent)
    const reply = `email send --tenant mailing --to jo@customer.example --reply-to ${sent.message_id} --body Well?`
    expect((await json(reply)).thread_id).toBe(sent.thread_id)
    expect(await json(`email disconnect ${grant.grant_id} --tenant mailing`)).toEqual({ disconnected: grant.grant_id })
    expect((await leadloom(`${send}-2`, "Hello")).exitCode).toBe(6)
  })
})

describe("backtest", () => {
  const rule = (word: string) => ({
    id: "rule_word",
    name: "One word",
    priority: 1,
    when: { fact: "message.text", op: "has_word", value: word },
    actions: [{ type: "reply", template: `Thank you for asking about the ${word}.` }]
  })

  it("prints the effect of other rules on past messages", async () => {
    await json("tenants create past --name Past")
    const { key } = await json("keys create --tenant past --name crm")
    const { config } = await json("config get --tenant past")
    await json("config put --tenant past", JSON.stringify({ ...config, rules: [rule("roof")] }))
    for (const message of ["A roof, please", "A kitchen, please"]) {
      const request = { method: "POST", body: JSON.stringify({ message }) }
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
      const url = `${server?.url}/api/v1/webhook/automation/past`
      expect((await fetch(url, { ...request, headers })).status).toBe(200)
    }
    const file = join(folder, "rules.json")
    await writeFile(file, JSON.stringify([rule("kitchen")]))
    const report = await json(`backtest --tenant past --rules ${file} --examples 1`)
    expect(report).toMatchObject({ examined: 2, changed: 2, more: false, config_version: 2 })
    expect(report.rules).toMatchObject([{ rule_id: "rule_word", before: 1, after: 1, gained: 1, lost: 1 }])
    const { out } = await leadloom(`backtest --tenant past --rules ${file}`)
    expect(out).toMatch(/examined +2 messages/u)
    expect(out).toMatch(/1 +none → held +A kitchen, please\n/u)
    expect(await json("config get --tenant past")).toMatchObject({ version: 2 })
  })

  it("rejects an invalid configuration with its location, and a request without a change", async () => {
    await json("tenants create never --name Never")
    const refused = await leadloom(
      "backtest --tenant never --rules -",
      JSON.stringify([{ ...rule("x"), when: { fact: "no", op: "eq", value: 1 } }])
    )
    expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining("rules.0.when.fact") })
    expect((await leadloom("backtest --tenant never")).exitCode).toBe(2)
  })
})
