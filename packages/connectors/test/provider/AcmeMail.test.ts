/** Tests the example of docs/how-to/write-a-connector.md. */
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { EmailTransport } from "@leadloom/core/internal/port/provider/EmailTransport"
import { clearedMail } from "@leadloom/testkit/outbound/Cleared"
import { repository } from "@leadloom/testkit/Sources"
import { grantRecord, sendRecord } from "@leadloom/testkit/suite/Records"
import { Effect, Redacted, Result } from "effect"
import { afterEach, expect, it } from "vitest"
import { layerFetch } from "../../src/provider/Fetch.ts"
import { layer } from "./AcmeMail.ts"

const grant = grantRecord("acme", 1)
const token = "acme-token-0123456789"
const { mail } = sendRecord("acme", 1)

let close = (): void => undefined
afterEach(() => close())

/** Sends the mail to a provider that gives one answer. Returns the outcome and the body of the request. */
const sendTo = async (status: number, json: unknown, headers: Readonly<Record<string, string>> = {}) => {
  let received = ""
  const server = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => (received += chunk.toString()))
    request.on("end", () => response.writeHead(status, headers).end(JSON.stringify(json)))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  close = () => server.close()
  const { port } = server.address() as AddressInfo
  const transport = layer({ baseUrl: `http://127.0.0.1:${port}`, token: Redacted.make(token) })
  const send = Effect.flatMap(EmailTransport, (one) => one.send({ grant, mail }, clearedMail(grant.tenantId, mail)))
  const provided = Effect.provide(Effect.result(send), transport).pipe(Effect.provide(layerFetch))
  return { result: await Effect.runPromise(provided), received }
}

it("is the example of the guide", () => {
  const guide = readFileSync(join(repository, "docs/how-to/write-a-connector.md"), "utf8")
  const example = readFileSync(join(import.meta.dirname, "AcmeMail.ts"), "utf8").replaceAll(
    "../../src/provider/",
    "../provider/"
  )
  expect(guide).toContain(example)
})

it("hands a mail over and reports the provider's id", async () => {
  const { received, result } = await sendTo(202, { id: "m1" })
  expect(result).toEqual(Result.succeed({ left: true, response: "accepted as m1", refused: [], assigned: null }))
  expect(JSON.parse(received)).toMatchObject({
    subject: mail.subject,
    headers: { "Message-ID": mail.internetMessageId }
  })
})

it.each([
  [400, "Refused"],
  [401, "SignedOut"],
  [429, "Unavailable"],
  [500, "OutcomeUnknown"]
])("reports status %i as %s, without the token", async (status, tag) => {
  const { result } = await sendTo(status, { code: "no", message: `bad token ${token}` })
  expect(Result.isFailure(result)).toBe(true)
  if (Result.isFailure(result)) {
    expect(result.failure.reason._tag).toBe(tag)
    expect(result.failure.message).not.toContain(token)
  }
})

it("does not know the outcome when a proxy answers", async () => {
  const { result } = await sendTo(200, "welcome")
  expect(Result.isFailure(result) && result.failure.reason._tag).toBe("OutcomeUnknown")
})
