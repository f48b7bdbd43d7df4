import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { maxUploadBytes } from "../../../src/domain/upload/Upload.ts"
import { maxFileBytesInFlight, withFileRoom } from "../../../src/workflow/sending/FileRoom.ts"

const large = [{ size: maxUploadBytes }]

it.effect("limits the bytes of concurrent sends, lets small mails pass, and serves waiting tenants in turn", () =>
  Effect.gen(function* () {
    const running: Array<Deferred.Deferred<void>> = []
    const order: Array<string> = []
    const start = (tenantId: string) =>
      Effect.gen(function* () {
        const end = yield* Deferred.make<void>()
        running.push(end)
        order.push(tenantId)
        yield* Deferred.await(end)
      }).pipe(withFileRoom(tenantId, large), Effect.forkChild({ startImmediately: true }))
    const busy = yield* Effect.forEach(
      Array.from({ length: 12 }, () => "busy"),
      start
    )
    const places = Math.floor(maxFileBytesInFlight / maxUploadBytes)
    assert.isAbove(places, 1)
    assert.lengthOf(running, places)
    const quiet = yield* start("quiet")
    assert.lengthOf(running, places)
    // A mail without attachments needs no room.
    assert.strictEqual(yield* withFileRoom("busy", [])(Effect.succeed("sent")), "sent")
    for (let index = 0; index < running.length; index++) {
      yield* Deferred.succeed(running[index] ?? assert.fail(), undefined)
      yield* Effect.yieldNow
      yield* Effect.yieldNow
      assert.isAtMost(running.length - index - 1, places)
    }
    yield* Fiber.joinAll([...busy, quiet])
    assert.lengthOf(order, 13)
    // Only one of the eight waiting sends of the busy tenant may precede the other tenant.
    assert.isAtMost(order.indexOf("quiet"), places + 1)
  })
)
