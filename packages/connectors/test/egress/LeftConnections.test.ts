import { Socket } from "node:net"
import { queryObjects } from "node:v8"
import { Egress } from "@leadloom/core/internal/port/system/Egress"
import { parseAllowHosts } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
import { certificate } from "@leadloom/testkit/mail/Certificate"
import { Effect } from "effect"
import { Pool } from "undici"
import { describe, expect, it } from "vitest"
import { layer } from "../../src/egress/NodeEgress.ts"
import { receiver } from "./Receiver.ts"

/** Counts the sockets that this process still references. */
const sockets = (): number => Number(queryObjects(Socket, { format: "count" }))

describe("a closed connection", () => {
  it.each([false, true])("leaves no referenced socket (over TLS: %s)", async (secure) => {
    const server = await receiver((_, response) => response.writeHead(200, { connection: "close" }).end(), secure)
    const place = `localhost:${server.port}`
    const url = `http${secure ? "s" : ""}://${place}/`
    const request = { url, headers: {}, body: "", timeoutMillis: 10_000, maxResponseBytes: 4_096 }
    const post = Effect.flatMap(Egress, (egress) => egress.post(request))
    const sent = Effect.gen(function* () {
      yield* post
      const before = sockets()
      yield* Effect.replicateEffect(post, 50)
      expect(server.connections()).toBe(51)
      expect(sockets() - before).toBeLessThan(25)
    })
    const policy = { allowHosts: parseAllowHosts(place).hosts }
    await Effect.runPromise(Effect.provide(sent, layer({ policy, trust: certificate })))
    await server.close()
  })

  it("leaves no reference to its receiver, even if the receiver never responded", async () => {
    const before = Number(queryObjects(Pool, { format: "count" }))
    const servers = await Promise.all(Array.from({ length: 30 }, () => receiver(() => undefined)))
    const places = servers.map(({ port }) => `127.0.0.1:${port}`)
    const post = (place: string) =>
      Effect.flatMap(Egress, (egress) =>
        egress.post({ url: `http://${place}/`, headers: {}, body: "", timeoutMillis: 100, maxResponseBytes: 4_096 })
      )
    const sent = Effect.gen(function* () {
      yield* Effect.forEach(places, (place) => Effect.flip(post(place)), { concurrency: "unbounded", discard: true })
      // Each count triggers a garbage collection, which is slow in a shared process. Some pools are collected late.
      const left = () => Number(queryObjects(Pool, { format: "count" })) - before
      yield* Effect.promise(() => expect.poll(left, { timeout: 60_000, interval: 500 }).toBeLessThan(20))
    })
    const policy = { allowHosts: parseAllowHosts(places.join(",")).hosts }
    await Effect.runPromise(Effect.provide(sent, layer({ policy })))
    await Promise.all(servers.map(({ close }) => close()))
  })
})
