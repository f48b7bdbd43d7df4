import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { programArguments } from "@leadloom/testkit/Program"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { someConfig } from "../world/Endpoints.ts"
import { fault, hanging, offsetVariable } from "../world/HangingServer.ts"
import { type ServerProcess, startProcess, temporaryFolder } from "../world/ServerProcess.ts"
import { adminKey, at, textAt } from "../world/TestServer.ts"

const program = programArguments("HangingServer", fileURLToPath(new URL("../world/HangingServer.ts", import.meta.url)))
const leaseMillis = 31_000

let folder: ReturnType<typeof temporaryFolder>
let server: ServerProcess

/** Starts the server with a clock at which all leases of earlier servers have expired. */
const start = (startedBefore: number): void => {
  const env = {
    LEADLOOM_DATA_DIR: join(folder.path, "data"),
    LEADLOOM_LIMIT_ADMIN: "1000000",
    [offsetVariable]: String(startedBefore * leaseMillis)
  }
  server = startProcess(env, program)
}

const crash = async (): Promise<void> => {
  server.kill("SIGKILL")
  await server.exit
}

beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  await crash()
  folder.remove()
})

const sendRequest = async (
  method: string,
  path: string,
  as: string,
  body?: unknown,
  key?: string
): Promise<unknown> => {
  const response = await fetch(`${await server.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${as}`,
      "content-type": "application/json",
      ...(key !== undefined && { "idempotency-key": key })
    },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const untilItHangs = (): Promise<void> =>
  vi.waitFor(() => expect(server.stdout()).toContain(hanging), { timeout: 60_000, interval: 20 })

describe("a message that hangs the server", () => {
  it("runs at most twice and is then reviewed by a person, and all other messages are processed", async () => {
    start(0)
    const keys = new Map<string, string>()
    for (const tenant of ["acme", "other"]) {
      await sendRequest("POST", "/admin/tenants", adminKey, {
        tenant_id: tenant,
        name: tenant,
        domain: `${tenant}.com`
      })
      keys.set(
        tenant,
        textAt(await sendRequest("POST", `/admin/tenants/${tenant}/sources`, adminKey, { source_id: "form" }), "key")
      )
    }
    const rule = {
      id: "rule_needle",
      name: "Needle",
      priority: 1,
      when: { fact: "message.text", op: "contains", value: fault.searched },
      actions: [{ type: "tag", tag: "x" }]
    }
    await sendRequest("PUT", "/config/acme", adminKey, { ...someConfig, rules: [rule] })
    const send = (tenant: string, body: string) =>
      sendRequest(
        "POST",
        `/events/${tenant}/form`,
        keys.get(tenant) ?? "",
        { entity: { email: `${body}@customer.example` }, content: { body, channel: "chat" } },
        body
      )
    const sendAll = () =>
      Promise.allSettled([
        send("acme", "before"),
        send("acme", fault.text),
        send("acme", "after"),
        send("other", "hello")
      ])
    const sending = sendAll()
    await untilItHangs()
    await crash()
    await sending
    start(1)
    await untilItHangs()
    await crash()
    start(2)
    expect((await sendAll()).map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => "fulfilled"))
    const conversationsOf = async (tenant: string) =>
      list(at(await sendRequest("GET", `/tenants/${tenant}/conversations`, adminKey), "conversations"))
    const unscored = async (tenant: string) =>
      (await conversationsOf(tenant))
        .filter((each) => at(each, "score_tier") === null)
        .map((each) => at(each, "contact_email"))
    const reviews = async () => list(at(await sendRequest("GET", "/tenants/acme/tasks?type=review", adminKey), "tasks"))
    await vi.waitFor(
      async () => {
        expect(await unscored("acme")).toEqual(["poison@customer.example"])
        expect(await unscored("other")).toEqual([])
        expect((await reviews()).length).toBe(1)
      },
      { timeout: 60_000, interval: 100 }
    )
    expect(textAt((await reviews())[0], "title")).toContain("the server stopped during every attempt")
    expect((await conversationsOf("acme")).length).toBe(3)
    expect(server.stdout()).not.toContain(hanging)
  })
})
