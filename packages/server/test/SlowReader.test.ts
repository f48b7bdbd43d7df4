import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as turn } from "node:timers/promises"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { PersonalData } from "@leadloom/core/internal/port/repository/contact/PersonalData"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { contactRecord, idOf, messageRecord, tenantRecord } from "@leadloom/testkit/suite/Records"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { HttpRouter } from "effect/http"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { routerConfig } from "../src/http/middleware/Methods.ts"
import * as Routes from "../src/http/Routes.ts"
import { makeListener } from "../src/http/Listener.ts"
import { adminKey, servicesOf } from "./world/TestServer.ts"

const messages = 3_000
const bodyBytes = 16_384

const folder = mkdtempSync(join(tmpdir(), "leadloom-slow-"))
const listener = makeListener()
/** Number of message rows that the export has read. */
let read = 0

const watched = Layer.effect(
  PersonalData,
  Effect.map(PersonalData, (personalData) => ({
    ...personalData,
    page: (tenantId, kind, contactId, after, limit) =>
      Effect.tap(personalData.page(tenantId, kind, contactId, after, limit), (rows) =>
        Effect.sync(() => {
          if (kind.name === "messages") read += rows.length
        })
      )
  }))
)
const services = Layer.provideMerge(watched, servicesOf({ LEADLOOM_DATA_DIR: folder }))
const server = ManagedRuntime.make(
  HttpRouter.serve(Routes.layer, { disableLogger: true, disableListenLog: true, routerConfig }).pipe(
    Layer.provideMerge(services),
    Layer.provide(NodeHttpServer.layerServer(() => listener, { host: "127.0.0.1", port: 0 })),
    Layer.provide(NodeHttpServer.layerHttpServices),
    Layer.merge(Logger.layer([]))
  )
)

/** Creates a contact with long messages, far more than socket buffers hold. */
const fill = Effect.gen(function* () {
  const { atomically } = yield* Transactions
  const [contacts, letters, tenants] = [yield* Contacts, yield* Messages, yield* Tenants]
  const body = "x".repeat(bodyBytes)
  yield* tenants.insert(tenantRecord("acme"))
  yield* contacts.insert(contactRecord("acme", 1))
  for (let from = 0; from < messages; from += 500) {
    const some = Array.from({ length: 500 }, (_, index) => messageRecord("acme", from + index, { body }))
    yield* atomically(
      "acme",
      Effect.forEach(some, (message) => letters.insert(message, []), { discard: true })
    )
  }
})

beforeAll(() => server.runPromise(fill), 300_000)
afterAll(async () => {
  listener.closeAllConnections()
  await server.dispose()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  read = 0
})

const port = (): number => {
  const address = listener.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** Requests an archive and stops reading after the first bytes. */
const stalled = async (path: string) => {
  const requested = new Promise<ServerResponse>((resolve) =>
    listener.once("request", (_, response) => resolve(response))
  )
  const socket: Socket = connect({ host: "127.0.0.1", port: port() })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminKey}\r\nConnection: close\r\n\r\n`)
  const response = await requested
  const first = await new Promise<Buffer>((resolve) => socket.once("data", resolve))
  socket.pause()
  await untilFull(response)
  return { socket, response, first }
}

/** Waits until no more bytes leave, because every buffer is full. If all bytes are written, the test fails. */
const untilFull = async (response: ServerResponse): Promise<void> => {
  for (let full = 0; full < 40 && !response.writableEnded;) {
    const before = read
    await turn(5)
    full = response.writableNeedDrain && read === before ? full + 1 : 0
  }
}

/** Maximum number of rows in socket buffers and in the page that waits to be written. */
const onTheWay = messages / 2

for (const path of ["/api/v1/tenants/acme/export", `/api/v1/tenants/acme/contacts/${idOf("con", 1)}/export`]) {
  it(`reads rows at the speed of the client, and continues with it: ${path}`, async () => {
    const { first, socket } = await stalled(path)
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(onTheWay)
    const pieces = [first]
    socket.on("data", (piece: Buffer) => pieces.push(piece))
    socket.resume()
    await once(socket, "close")
    expect(read).toBe(messages)
    const received = Buffer.concat(pieces)
    expect(received.length).toBeGreaterThan(messages * bodyBytes)
    expect(received.includes("manifest.json")).toBe(true)
  })
}

it("stops reading rows for a client that disconnects", async () => {
  const { response, socket } = await stalled("/api/v1/tenants/acme/export")
  const gone = once(response, "close")
  const before = read
  socket.destroy()
  await gone
  // Another client's complete export. An export that continued would have read as much by then.
  const headers = { authorization: `Bearer ${adminKey}` }
  const other = await fetch(`http://127.0.0.1:${port()}/api/v1/tenants/acme/export`, { headers })
  await other.arrayBuffer()
  expect(read - before).toBe(messages)
})
