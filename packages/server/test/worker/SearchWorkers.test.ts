import { describe, it } from "@effect/vitest"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Search } from "@leadloom/core/internal/port/repository/contact/Search"
import { searchQueue } from "@leadloom/core/internal/workflow/search/WorkSearch"
import * as Store from "@leadloom/store/internal/Store"
import { onMigratedFile } from "@leadloom/testkit/MigratedFile"
import { idOf, messageRecord } from "@leadloom/testkit/suite/Records"
import { Effect, Exit, Layer, Scope } from "effect"
import { expect } from "vitest"
import { workersOf } from "../../src/worker/Workers.ts"

const tenants = ["acme", "other", "third"]
const each = 200

describe("the worker of the search index", () => {
  it.live("indexes the writes of every tenant, and stops immediately on request", () =>
    Effect.gen(function* () {
      const store = yield* Layer.build(onMigratedFile((url) => Store.layer({ url })))
      yield* Effect.gen(function* () {
        const [messages, search] = [yield* Messages, yield* Search]
        for (const tenantId of tenants) {
          for (let number = 0; number < each; number++) yield* messages.insert(messageRecord(tenantId, number), [])
        }
        const scope = yield* Scope.make()
        yield* Layer.buildWithScope(workersOf(searchQueue).pipe(Layer.provide(Layer.succeedContext(store))), scope)
        for (const tenantId of tenants) {
          const isDone = Effect.andThen(Effect.sleep("1 millis"), search.isCaughtUp(tenantId))
          yield* Effect.repeat(isDone, { until: (done) => done })
          const places = yield* search.places(tenantId, "conversations", [[{ text: "message", isPrefix: false }]], {
            since: null,
            after: null,
            until: null,
            limit: 1_000
          })
          expect(places.places.length).toBe(each)
          expect(places.places[0]?.id).toBe(idOf("msg", each - 1))
        }
        yield* Scope.close(scope, Exit.void)
      }).pipe(Effect.provide(store))
    }).pipe(Effect.scoped)
  )
})
