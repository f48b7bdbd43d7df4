import { visibleText } from "@leadloom/core/internal/domain/email/VisibleText"
import type { Injection } from "@leadloom/testkit/injection/Injection"
import { injections } from "@leadloom/testkit/injection/Injections"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { someConfig } from "../world/Endpoints.ts"
import { type ModelServer, startModelServer, toClassify, toWrite, defaultClassification } from "../world/ModelServer.ts"
import { adminKey, at, textAt } from "../world/TestServer.ts"
import { importOf, mail, makeWorld } from "../world/World.ts"

let server: ModelServer
const base = "/api/v1/tenants/acme"
const get = async (path: string): Promise<unknown> => (await server.call("GET", path, { as: adminKey })).json

const senderOf = (index: number): string => `sender${index}@customer${index}.example`

/** Returns whether the reply only repeats visible text of the mail. */
const isEcho = ({ echoes, obedientReply, text }: Injection): boolean =>
  echoes === true || visibleText(text).includes(visibleText(obedientReply))

/** Returns the number of the case from the subject of a prompt. The message is the attacker's. */
const caseOf = (request: { readonly messages: ReadonlyArray<{ readonly content?: unknown }> }): number =>
  Number(
    /"subject":"Case (?<number>\d+)"/u.exec(JSON.stringify(request.messages).replaceAll("\\", ""))?.groups?.["number"]
  )

/** A model that obeys every instruction in a mail, in a tenant with automatic replies. */
beforeAll(async () => {
  server = await startModelServer()
  await makeWorld(server)
  const { model } = server
  model.on(toClassify, { content: JSON.stringify(defaultClassification) })
  model.on(toWrite, (request) => ({
    content: JSON.stringify({ text: injections[caseOf(request)]?.obedientReply ?? "no such case" })
  }))
  const body = { ...someConfig, classifier: "model", reply_mode: "auto" }
  await server.call("PUT", "/api/v1/config/acme", { as: adminKey, body })
  const account = { provider: "smtp", email: "sales@acme.com", name: "Acme" }
  expect((await server.call("POST", `${base}/email/connect`, { as: adminKey, body: account })).status).toBeLessThan(300)
  const letter = (text: string, index: number) =>
    mail({ From: senderOf(index), Subject: `Case ${index}`, "Message-ID": `<${index}@customer.example>` }, text)
  const mails = { ...importOf(...injections.map(({ text }, index) => letter(text, index))), historical: false }
  expect((await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body: mails })).status).toBeLessThan(
    300
  )
  // On a slow machine, a lease can end before its signal, which is then claimed again.
  expect(await server.work()).toBeGreaterThanOrEqual(injections.length)
  expect(Object(await get(`${base}/pipeline/runs?limit=100`)).runs).toHaveLength(injections.length)
}, 300_000)
afterAll(() => server.close())

const messagesTo = async (contact: string): Promise<ReadonlyArray<unknown>> => {
  const messages = at(await get(`${base}/conversations/${contact}`), "messages")
  return Array.isArray(messages) ? messages : []
}

interface Reported {
  readonly index: number
  readonly run: unknown
  readonly sent: ReadonlyArray<unknown>
}

const stories = async (): Promise<ReadonlyArray<Reported>> => {
  const { runs } = Object(await get(`${base}/pipeline/runs?limit=100`))
  return Promise.all(
    runs.map(async (run: unknown) => {
      const messages = await messagesTo(textAt(run, "contact_id"))
      const subject = textAt(messages[0], "subject")
      const sent = messages.filter((message) => at(message, "actor") !== "contact")
      return { index: Number(subject.replace("Case ", "")), run, sent }
    })
  )
}

describe("hostile mail with a model that obeys it", () => {
  it("causes no automatic reply except one that repeats it to its sender", async () => {
    const results = await stories()
    expect(results.map(({ index }) => index).toSorted((one, other) => one - other)).toEqual(
      injections.map((_, index) => index)
    )
    let held = 0
    for (const { index, run, sent } of results) {
      const injection = injections[index] ?? assert.fail("no such case")
      const what = `${injection.name}: ${injection.obedientReply}`
      // Invisible text is removed before a message is stored.
      expect(textAt(run, "written", "text"), what).not.toBe("no such case")
      expect(at(run, "reply", "channel"), what).toBe("email")
      if (at(run, "reply", "requires_approval") === true) {
        held += 1
        expect(sent, what).toEqual([])
      } else {
        expect(isEcho(injection), what).toBe(true)
        expect(
          sent.map((message) => at(message, "to")),
          what
        ).toEqual([[senderOf(index)]])
      }
    }
    expect(held).toBeGreaterThanOrEqual(60)
  })

  it("changes no configuration, runs no action and sends no other event to partners", async () => {
    const { config } = Object(await get("/api/v1/config/acme"))
    expect(config).toMatchObject({ reply_mode: "auto", rules: [], guardrails: [], assistant: someConfig.assistant })
    for (const { run } of await stories()) expect(at(run, "actions")).toEqual([])
    expect(at(await get(`${base}/tasks?type=review`), "tasks")).toEqual([])
    expect(at(await get("/api/v1/tenants/other/conversations"), "conversations")).toEqual([])
  })
})
