import { Effect } from "effect"
import * as Store from "../src/Store.ts"
import { accept, placeOf } from "./Load.ts"

/** A server in a separate process. It accepts mails by the indexes that its parent process sends. */

const [url = "", tenants] = process.argv.slice(2)

const nextIndexes = Effect.callback<ReadonlyArray<number>>((resume) => {
  process.once("message", (indexes) => {
    if (Array.isArray(indexes)) resume(Effect.succeed(indexes.map(Number)))
  })
})

const serve = Effect.gen(function* () {
  yield* Store.ping
  process.send?.("ready")
  for (;;) {
    const indexes = yield* nextIndexes
    yield* accept(indexes, placeOf(Number(tenants)))
    process.send?.("done")
  }
})

await Effect.runPromise(Effect.provide(serve, Store.layer({ url })))
