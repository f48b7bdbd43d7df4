import { execFile } from "node:child_process"
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { createClient } from "@leadloom/client"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeFolder, removeFolder } from "../FakeTerminal.ts"
import { spawnLeadloom, watch } from "../ServerProcess.ts"

const run = promisify(execFile)
const hasCurl = await run("curl", ["--version"]).then(
  () => true,
  () => false
)

let folder = ""
beforeAll(async () => {
  folder = await makeFolder()
})
afterAll(() => removeFolder(folder))

/** Starts the demo and runs a test against it. */
const withDemo = async (look: (output: string, url: string) => Promise<void>): Promise<void> => {
  const child = spawnLeadloom(["serve", "--demo", "--port", "0", "--data-dir", join(folder, "data")])
  const watched = watch(child)
  try {
    await watched.says(/Stop with Ctrl-C/u)
    const { out, err } = watched.output()
    expect(err).toBe("")
    await look(out, /serves (?<url>\S+)/u.exec(out)?.groups?.["url"] ?? "")
  } finally {
    child.kill("SIGINT")
  }
  expect(await watched.ends).toBe(0)
}

/** Extracts the commands of the story, which a user would paste into a shell. */
const commandsIn = (output: string): ReadonlyArray<string> =>
  [...output.matchAll(/^ {2}(?<command>curl (?:.*\\\n)*.*)$/gmu)].map((match) => match.groups?.["command"] ?? "")

describe("serve --demo", () => {
  it("describes the outcome of every sample message", async () => {
    await withDemo(async (output, url) => {
      expect(output).toContain("16 messages arrive")
      expect(output).toMatch(
        / 1 {2}email +María Álvarez {2}\w+ \d+\n.*\n +belongs to lead 1, thread 1\n +classified pricing/u
      )
      expect(output).toMatch(/Hot leads go to Nina/u)
      expect(output).toMatch(/ 4 {2}email .*\n.*Thursday at 3 works.*\n +belongs to lead 1, thread 1\n/u)
      expect(output.match(/duplicate: not stored/gu)).toHaveLength(2)
      expect(output).toContain("an automatic reply: stored and labelled, never answered")
      expect(output).not.toContain("not finished yet")
      const keys = JSON.parse(await readFile(join(folder, "data", "demo-keys.json"), "utf8"))
      const client = createClient({ baseUrl: url, credential: keys.api_key })
      const { conversations } = await client.conversations.list("demo")
      expect(conversations.map((one) => one.contact_name)).toContain("François Lefèvre")
      const oldest = Math.min(...conversations.map((one) => Date.parse(one.last_timestamp)))
      expect(oldest).toBeGreaterThan(Date.now() - 15 * 86_400_000)
      expect(oldest).toBeLessThan(Date.now())
      const { suggestions } = await client.contactMerges.suggestions("demo")
      expect(suggestions.map(({ duplicate, primary }) => [primary.name, duplicate.phone])).toEqual([
        ["Tom Becker", "+12025550178"]
      ])
    })
  })

  it("stores its keys readable by the user only", async () => {
    expect((await stat(join(folder, "data", "demo-keys.json"))).mode & 0o777).toBe(0o600)
  })

  it("is short on the second start, with keys that are still valid", async () => {
    await withDemo(async (output, url) => {
      expect(output).toContain("exist from an earlier start")
      expect(output).not.toContain("María")
      const adminKey = /Admin key +(?<key>\S+)/u.exec(output)?.groups?.["key"]
      const { tenants } = await createClient({ baseUrl: url, credential: adminKey }).tenants.list()
      expect(tenants.map((tenant) => tenant.tenant_id)).toEqual(["demo"])
    })
  })

  it.skipIf(!hasCurl)(`prints commands that work as they are${hasCurl ? "" : " (not run: no curl here)"}`, async () => {
    await withDemo(async (output) => {
      const commands = commandsIn(output)
      expect(commands).toHaveLength(3)
      const answers = []
      for (const command of commands) answers.push(JSON.parse((await run("sh", ["-c", command])).stdout))
      expect(answers[0].conversations.length).toBeGreaterThan(3)
      expect(answers[1].reply.text).toContain("Hello Ada")
      expect(answers[2].status).toBe("accepted")
    })
  })
})
