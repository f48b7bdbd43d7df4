import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "@leadloom/client"
import { transform } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, type RunningServer, startServer } from "../../../packages/cli/test/ServerProcess.ts"
import { openPage, type Page } from "./Page.ts"

const read = (name: string): Promise<string> => readFile(new URL(`../${name}`, import.meta.url), "utf8")
const origin = "https://www.acme.com"

let folder = ""
let server: RunningServer | null = null
const operator = () => createClient({ baseUrl: server?.url ?? "", credential: adminKey })
const action = () => `${server?.url ?? ""}/api/v1/public/leads/demo`

/** Applies the configuration of the README. */
const configure = async (changes: object): Promise<void> => {
  const [, settings = ""] = /-d '(?<json>\{.*\})'/u.exec(await read("README.md")) ?? []
  const { public_form: form } = JSON.parse(settings)
  await operator().config.update("demo", { public_form: { ...form, ...changes } })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leadloom-example-"))
  server = await startServer(folder)
  await operator().tenants.create({ tenant_id: "demo", name: "Demo" })
  await configure({})
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

const jane = { name: "Jane", email: "jane@customer.example", message: "What does a roof cost?" }

const emails = async (): Promise<ReadonlyArray<unknown>> => {
  const { contacts } = await operator().contacts.list("demo")
  return contacts.map(({ email }) => email)
}

const leads = async (): Promise<number> => (await operator().leads.list("demo")).leads.length

const open = async (): Promise<Page> => {
  const names = [...(await read("form.html")).matchAll(/<(?:input|textarea)\b[^>]*\bname="(?<name>[^"]+)"/gu)]
  const { code } = await transform(await read("form.js"), { minify: true })
  const shown = names.flatMap(({ groups }) => groups?.["name"] ?? [])
  return openPage(code, origin, action(), shown)
}

describe("examples/public-form", () => {
  it("has a script of at most 2 KB without dependencies", async () => {
    const script = await read("form.js")
    const { code } = await transform(script, { minify: true })
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(2_048)
    expect(script).not.toMatch(/\bimport\b|\brequire\b|https?:/u)
  })

  it("has a form that works without the script", async () => {
    const html = await read("form.html")
    expect(html).toContain('action="http://127.0.0.1:4800/api/v1/public/leads/demo"')
    const headers = { accept: "text/html", origin }
    const submit = (fields: Record<string, string>) =>
      fetch(action(), { method: "POST", body: new URLSearchParams(fields), headers, redirect: "manual" })
    const thanked = await submit({ ...jane, email: "bo@customer.example", contact_by_fax: "" })
    expect([thanked.status, await thanked.text()]).toEqual([200, expect.stringContaining("Thank you")])
    const trapped = await submit({ ...jane, email: "robot@customer.example", contact_by_fax: "1" })
    expect(trapped.status).toBe(200)
    expect(await emails()).toEqual(["bo@customer.example"])
  })

  it("shows an error next to its field and submits the corrected form once", async () => {
    const page = await open()
    const before = await leads()
    page.type({ ...jane, email: "jane@" })
    await page.click()
    expect(page.status()).toBe("The form contains invalid fields.")
    expect([page.notes(), page.focused()]).toEqual([{ email: "This is not an email address." }, "email"])
    page.type({ email: jane.email })
    await page.click(3)
    expect([page.status(), page.notes(), page.value("email")]).toEqual(["Thank you. We will be in touch.", {}, ""])
    expect(await leads()).toBe(before + 1)
  })

  it("solves the challenge and navigates to the tenant's thank-you page", async () => {
    await configure({ verification: "proof_of_work", thank_you_url: "https://www.acme.com/thanks" })
    const page = await open()
    const before = await leads()
    page.type({ ...jane, message: "And a kitchen?" })
    await page.click()
    expect([page.status(), page.location()]).toEqual(["Thank you. We will be in touch.", "https://www.acme.com/thanks"])
    page.type({ ...jane, message: "And a hall?" })
    await page.click()
    expect(await leads()).toBe(before + 2)
  })

  it("reports a failure when the server is unreachable or rejects the origin", async () => {
    const { code } = await transform(await read("form.js"), { minify: true })
    const lost = openPage(code, origin, "http://127.0.0.1:1/api/v1/public/leads/demo", ["email"])
    lost.type({ email: jane.email })
    await lost.click()
    expect(lost.status()).toBe("This could not be sent. Please try again.")
    const elsewhere = openPage(code, "https://evil.example", action(), ["email"])
    elsewhere.type({ email: jane.email })
    await elsewhere.click()
    expect(elsewhere.status()).toBe("This form does not accept submissions from pages of this origin.")
  })
})
