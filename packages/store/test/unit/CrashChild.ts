/**
 * Writes units until it is killed, and prints each number after its unit is acknowledged. Arguments: file, first
 * number.
 */
import { writeSync } from "node:fs"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import * as Store from "../../src/Store.ts"
import { write } from "../Triple.ts"

const [, , filename = "", first = "0"] = process.argv
const tenantId = "crash"

const caller = (next: () => number) =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    while (true) {
      const number = next()
      yield* atomically(tenantId, write(tenantId, number))
      writeSync(1, `${number}\n`)
    }
  })

let last = Number(first)
await Effect.runPromise(
  Effect.all(
    Array.from({ length: 24 }, () => caller(() => last++)),
    { concurrency: "unbounded", discard: true }
  ).pipe(Effect.provide(Store.layer({ url: `sqlite:${filename}` })))
)
