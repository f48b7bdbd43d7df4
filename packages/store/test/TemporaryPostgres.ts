import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Store from "../src/Store.ts"

/** A whole store on a Postgres database of its own, for tests by the real clock. */
export const livePostgres = Layer.unwrap(Effect.map(migratedDatabase, (url) => Store.layer({ url })))

/**
 * The same for tests with a clock of their own. The pool keeps to the real one: that of a test jumps from 1970 to now,
 * and a pool that looks for idle connections every few minutes would make up for all of them.
 */
export const temporaryPostgres = Layer.effectContext(TestClock.withLive(Layer.build(livePostgres)))
