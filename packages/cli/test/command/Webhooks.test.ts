import { createHmac } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fakeTerminal, makeFolder, type Ran, removeFolder, runOn } from "../FakeTerminal.ts"
import { adminKey, type RunningServer, startServer } from "../ServerProcess.ts"

let folder = ""
let server: RunningServer
let receiver: Server
let onRequest: (headers: IncomingHttpHeaders, body: string) => void = () => undefined

beforeAll(async () => {
  folder = await makeFolder()
  server = await startServer(join(folder, "data"))
  receiver = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      onRequest(request.headers, Buffer.concat(chunks).toString())
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
  await json("tenants create shop --name Shop --domain example.com")
})
afterAll(async () => {
  receiver.close()
  receiver.closeAllConnections()
  await server.stop()
  await removeFolder(folder)
})

const env = () => ({ LEADLOOM_URL: server.url, LEADLOOM_ADMIN_KEY: adminKey })
const leadloom = (line: string): Promise<Ran> => runOn(fakeTerminal(folder, env()), line.split(" "))
const json = async (line: string) => {
  const ran = await leadloom(`${line} --json`)
  expect(ran).toMatchObject({ exitCode: 0, err: "" })
  return JSON.parse(ran.out)
}

describe("webhooks", () => {
  it("are created with a secret that is shown once, changed, listed and deleted", async () => {
    const to = "https://receiver.example/hooks"
    const created = await json(`webhooks create --tenant shop --to ${to} --events lead.received,lead.scored`)
    expect(created).toMatchObject({ url: to, events: ["lead.received", "lead.scored"], status: "active" })
    const listed = await leadloom("webhooks list --tenant shop")
    expect(listed.out).toContain(created.id)
    expect(listed.out).not.toContain(created.secret)
    const rotated = await json(`webhooks rotate ${created.id} --tenant shop`)
    expect(rotated.secret).not.toBe(created.secret)
    const paused = await json(`webhooks update ${created.id} --tenant shop --status paused --max-in-flight 4`)
    expect(paused).toMatchObject({ status: "paused", inactive_reason: "person", max_in_flight: 4 })
    expect((await leadloom(`webhooks update ${created.id} --tenant shop --status asleep`)).exitCode).toBe(2)
    expect((await json(`webhooks deliveries ${created.id} --tenant shop`)).deliveries).toEqual([])
    expect(await json(`webhooks recover ${created.id} --tenant shop --since ${new Date().toISOString()}`)).toEqual({
      recovered: 0
    })
    const missing = await leadloom(`webhooks redeliver ${created.id} dlv_00000000000000000000000000 --tenant shop`)
    expect(missing.exitCode).toBe(5)
    expect(await json(`webhooks delete ${created.id} --tenant shop`)).toEqual({ deleted: created.id })
    expect((await leadloom("webhooks list --tenant shop")).out).toContain("No webhooks.")
  })

  it("with invalid settings are rejected with the cause", async () => {
    const ran = await leadloom("webhooks create --tenant shop --to http://10.0.0.1/ --events lead.born")
    expect(ran).toMatchObject({ exitCode: 1, err: expect.stringContaining("events.0") })
    expect((await leadloom("webhooks listen --tenant shop --forward nowhere")).exitCode).toBe(2)
    const nobody = await leadloom("webhooks listen --tenant nobody --forward http://127.0.0.1:1/")
    expect(nobody.exitCode).toBe(5)
  })

  const listen = async (email: string, ...args: ReadonlyArray<string>) => {
    const { port } = receiver.address() as AddressInfo
    const stop = new AbortController()
    const written: Array<string> = []
    const listening = Promise.withResolvers<void>()
    const terminal = fakeTerminal(folder, env(), {
      signal: stop.signal,
      err: (text: string) => {
        written.push(text)
        if (text.startsWith("Forwarding")) listening.resolve()
      }
    })
    const arrived = Promise.withResolvers<{ readonly headers: IncomingHttpHeaders; readonly body: string }>()
    onRequest = (headers, body) => arrived.resolve({ headers, body })
    const forward = `http://127.0.0.1:${port}/hooks`
    const running = runOn(terminal, ["webhooks", "listen", "--tenant", "shop", "--forward", forward, ...args])
    await listening.promise
    const made = await fetch(`${server.url}/api/v1/tenants/shop/contacts`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
      body: JSON.stringify({ email })
    })
    expect(made.status).toBe(201)
    const { body, headers } = await arrived.promise
    stop.abort()
    await running
    return { body, headers, written: written.join("") }
  }

  const signature = (secret: string, headers: IncomingHttpHeaders, body: string): string =>
    createHmac("sha256", secret)
      .update(`${String(headers["x-webhook-timestamp"])}.${body}`)
      .digest("hex")

  it("are forwarded to this machine as they happen, signed with the printed secret", async () => {
    const { body, headers, written } = await listen("jo@customer.example")
    const secret = /whsec_\S+/u.exec(written)?.[0] ?? ""
    expect(headers["x-webhook-signature"]).toBe(signature(secret, headers, body))
    expect(JSON.parse(body)).toMatchObject({ event_type: "contact.created", tenant_id: "shop" })
  })

  it("are signed with the secret of a file, which is not printed", async () => {
    const file = join(folder, "hook.secret")
    await writeFile(file, "whsec_bXkgb3du\n")
    const { body, headers, written } = await listen("sam@customer.example", "--secret-file", file)
    expect(headers["x-webhook-signature"]).toBe(signature("whsec_bXkgb3du", headers, body))
    expect(written).not.toContain("whsec_")
  })
})
