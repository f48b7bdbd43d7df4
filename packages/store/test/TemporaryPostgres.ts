import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Store from "../src/Store.ts"

/** A store on its own Postgres database, for tests with the system clock. */
export const livePostgres = Layer.unwrap(Effect.map(migratedDatabase, (url) => Store.layer({ url })))

/**
 * The same for tests with a test clock. The pool keeps the system clock: a test clock jumps from 1970 to now, and the
 * pool would then catch up on its periodic checks for idle connections.
 */
export const temporaryPostgres = Layer.effectContext(TestClock.withLive(Layer.build(livePostgres)))
