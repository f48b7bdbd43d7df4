import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { fakeTerminal, makeFolder, removeFolder, runOn } from "../FakeTerminal.ts"
import { adminKey, type RunningServer, startServer } from "../ServerProcess.ts"

let folder = ""
let server: RunningServer

beforeAll(async () => {
  folder = await makeFolder()
  server = await startServer(join(folder, "data"))
})
afterAll(async () => {
  await server.stop()
  await removeFolder(folder)
})

const leadloom = (line: string) =>
  runOn(fakeTerminal(folder, { LEADLOOM_URL: server.url, LEADLOOM_ADMIN_KEY: adminKey }), line.split(" "))

it("exports active or archived contacts as CSV to standard output or a file", async () => {
  await leadloom("tenants create shop --name Shop --domain example.com")
  await leadloom("contacts create --tenant shop --name Ann --email ann@x.example")
  const header = '"name","email","phone","company","notes","other_emails","other_phones","tags"\r\n'
  const file = `${header}"Ann","ann@x.example","","","","","",""\r\n`
  expect(await leadloom("contacts export --tenant shop")).toMatchObject({ exitCode: 0, out: file, err: "" })
  expect(await leadloom("contacts export --tenant shop --archived")).toMatchObject({ exitCode: 0, out: header })
  const filtered = (filters: object) => leadloom(`contacts export --tenant shop --data ${JSON.stringify(filters)}`)
  expect(await filtered({ tags: ["vip"] })).toMatchObject({ exitCode: 0, out: header })
  expect(await filtered({ tags: [] })).toMatchObject({ exitCode: 0, out: file })
  const path = join(folder, "contacts.csv")
  expect(await leadloom(`contacts export --tenant shop --out ${path}`)).toMatchObject({ exitCode: 0, out: "" })
  expect(await readFile(path, "utf8")).toBe(file)
})

it("reports an unknown segment", async () => {
  const ran = await leadloom("contacts export --tenant shop --segment seg_none")
  expect(ran).toMatchObject({ out: "" })
  expect(ran.exitCode).not.toBe(0)
  expect(ran.err).not.toBe("")
})
