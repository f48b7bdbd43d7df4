import { inMemoryEgress } from "@leadloom/testkit/memory/Egress"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Egress, type EgressAnswer, type EgressRequest } from "../../../src/port/system/Egress.ts"
import { EgressRefused } from "../../../src/domain/webhook/EgressPolicy.ts"

const request: EgressRequest = {
  url: "https://hooks.example.com/in",
  headers: {},
  body: "{}",
  timeoutMillis: 15_000,
  maxResponseBytes: 3
}
const answer: EgressAnswer = { status: 200, headers: {}, body: new Uint8Array([1, 2, 3, 4]), millis: 5 }

it.effect("the twin of the network checks URLs and cuts answers as the network does", () => {
  const received: Array<string> = []
  const layer = inMemoryEgress((_, { href }) => {
    received.push(href)
    return Effect.succeed(answer)
  })
  return Effect.gen(function* () {
    const { post } = yield* Egress
    assert.deepStrictEqual(yield* post(request), { ...answer, body: new Uint8Array([1, 2, 3]) })
    const refused = yield* Effect.flip(post({ ...request, url: "https://127.0.0.1/" }))
    assert.instanceOf(refused, EgressRefused)
    assert.deepStrictEqual(received, ["https://hooks.example.com/in"])
  }).pipe(Effect.provide(layer))
})
