import { Socket } from "node:net"
import { queryObjects } from "node:v8"
import { Egress } from "@leadloom/core/port/Egress"
import { parseAllowHosts } from "@leadloom/core/webhook/EgressPolicy"
import { certificate } from "@leadloom/testkit/mail/Certificate"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { layer } from "../../src/egress/NodeEgress.ts"
import { receiver } from "./Receiver.ts"

/** Sockets that something in this process still holds. */
const sockets = (): number => Number(queryObjects(Socket, { format: "count" }))

describe("a connection that is over", () => {
  it.each([false, true])("is held by nobody (over TLS: %s)", async (secure) => {
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
})
