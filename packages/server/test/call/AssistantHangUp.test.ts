import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { Deferred, Effect, Layer, Logger } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeHandler } from "../../src/Handler.ts"
import { type Answer, adminKey, at, readResponse, requestOf, servicesOf, textAt } from "../world/TestServer.ts"

const folder = mkdtempSync(join(tmpdir(), "leadloom-hang-up-"))
const logged: Array<string> = []
let handler: ReturnType<typeof makeHandler>

/** The result of writing a task. `stuck`: it never completes; `cut`: its unit of work is interrupted from elsewhere. */
let mood: "well" | "stuck" | "cut" | "broken" = "well"
const [reached, interrupted] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
const moods = {
  stuck: Effect.andThen(Deferred.succeed(reached, undefined), Effect.never).pipe(
    Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
  ),
  cut: Effect.interrupt,
  broken: Effect.die(new Error("out of paper"))
}
const moodyTasks = Layer.effect(
  Tasks,
  Effect.map(Tasks, (tasks) => ({
    ...tasks,
    insert: (task) => (mood === "well" ? tasks.insert(task) : moods[mood])
  }))
)

beforeAll(() => {
  const log = Logger.layer([
    Logger.make(({ logLevel, message }) => void logged.push(`${logLevel} ${JSON.stringify(message)}`))
  ])
  const services = Layer.provideMerge(moodyTasks, servicesOf({ LEADLOOM_DATA_DIR: folder }))
  handler = makeHandler(Layer.provideMerge(services, log))
})
afterAll(async () => {
  await handler.close()
  rmSync(folder, { recursive: true, force: true })
})

const call = async (method: string, path: string, body?: unknown): Promise<Answer> =>
  readResponse(
    await handler.fetch(requestOf(method, `/api/v1/${path}`, { as: adminKey, ...(body === undefined ? {} : { body }) }))
  )

const tools = [
  { id: "t1", function: { name: "create_lead", arguments: { message: "The roof leaks" } } },
  { id: "t2", function: { name: "book_callback", arguments: { time: "tomorrow at 10am" } } }
]
const line = { id: "call-1", type: "inboundPhoneCall", customer: { number: "+12125550100" } }
let secret = ""

const requests = (signal: AbortSignal | null = null): Promise<Response> =>
  handler.fetch(
    new Request(
      requestOf("POST", "/api/v1/voice/assistant/acme/tools", {
        body: { message: { type: "tool-calls", call: line, toolCallList: tools } },
        headers: { "x-vapi-secret": secret }
      }),
      { signal }
    )
  )

const messages = async (): Promise<unknown> => {
  const list = await call("GET", "tenants/acme/conversations")
  const contactId = textAt(list.json, "conversations", 0, "contact_id")
  return at((await call("GET", `tenants/acme/conversations/${contactId}`)).json, "messages")
}

describe("a tool call of an assistant", () => {
  beforeAll(async () => {
    await call("POST", "admin/tenants", { tenant_id: "acme", name: "Acme" })
    secret = textAt((await call("PUT", "tenants/acme/assistant/secret")).json, "secret")
  })

  it("stops without an error when the caller hangs up, and stored results stay", async () => {
    mood = "stuck"
    const hangUp = new AbortController()
    const answer = requests(hangUp.signal)
    await Effect.runPromise(Deferred.await(reached))
    logged.length = 0
    hangUp.abort()
    await Effect.runPromise(Deferred.await(interrupted))
    expect((await answer).status).toBe(499)
    expect(logged).toEqual([])
    expect(await messages()).toMatchObject([{ body: "The roof leaks" }])
  })

  it("may be repeated after an internal interruption, which is not an error either", async () => {
    mood = "cut"
    logged.length = 0
    const answer = await requests()
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"])
    expect(logged.join("")).not.toContain("a tool of a voice assistant failed")
  })

  it("logs a failure, and runs once when it is repeated", async () => {
    mood = "broken"
    const broken = await readResponse(await requests())
    expect(at(broken.json, "results", 1)).toMatchObject({ error: expect.stringContaining("Something went wrong") })
    expect(logged.join("")).toContain("a tool of a voice assistant failed")
    mood = "well"
    const again = await readResponse(await requests())
    expect(at(again.json, "results")).toEqual([
      { toolCallId: "t1", name: "create_lead", result: expect.stringContaining("noted") },
      { toolCallId: "t2", name: "book_callback", result: expect.stringContaining("A callback is booked") }
    ])
    expect(await messages()).toHaveLength(1)
    expect(at((await call("GET", "tenants/acme/tasks")).json, "tasks")).toMatchObject([{ type: "callback" }])
  })
})
