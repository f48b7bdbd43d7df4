import { connect, createServer, type Socket } from "node:net"
import { assert, it } from "@effect/vitest"
import { Transactions } from "@leadloom/core/port/Transactions"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Layer, Schedule } from "effect"
import * as Store from "../src/Store.ts"
import { write, written } from "./Triple.ts"

/** A way to a database that can swallow everything without a word, as a network does that has lost a machine. */
const tunnelTo = (target: URL) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; swallow: boolean; readonly close: () => void }>((resume) => {
      const sockets = new Set<Socket>()
      const server = createServer((near) => {
        const far = connect(Number(target.port), target.hostname)
        for (const [from, to] of [
          [near, far],
          [far, near]
        ] as const) {
          sockets.add(from)
          from.on("data", (chunk) => tunnel.swallow || to.write(chunk))
          from.on("error", () => to.destroy())
          from.on("close", () => to.destroy())
        }
      })
      const close = (): void => {
        server.close()
        for (const socket of sockets) socket.destroy()
      }
      const tunnel = { url: "", swallow: false, close }
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const url = new URL(target)
        if (typeof address === "object" && address !== null) url.port = String(address.port)
        tunnel.url = url.href
        resume(Effect.succeed(tunnel))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

it.live("a Postgres that no longer answers is an outage after a while, and used again when it does", () =>
  Effect.gen(function* () {
    const tunnel = yield* tunnelTo(new URL(yield* temporaryDatabase))
    const url = tunnel.url
    const store = yield* Layer.build(Store.layer({ url, deadlineMillis: 700 }))
    yield* Effect.gen(function* () {
      const { atomically } = yield* Transactions
      yield* atomically("acme", write("acme", 1))
      tunnel.swallow = true
      const failures = yield* Effect.all(
        [Effect.flip(atomically("acme", write("acme", 2))), Effect.flip(Store.ping), Effect.flip(written("acme", [1]))],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        failures.map(({ _tag }) => _tag),
        ["StoreUnavailable", "StoreUnavailable", "StoreUnavailable"]
      )
      tunnel.swallow = false
      // The database has to notice first that the connection of the second unit, and its turn, are gone.
      yield* Effect.retry(atomically("acme", write("acme", 3)), Schedule.recurs(50))
      assert.deepStrictEqual(yield* written("acme", [1, 2, 3]), [3, 0, 3])
    }).pipe(Effect.provide(store))
  }).pipe(Effect.scoped)
)
