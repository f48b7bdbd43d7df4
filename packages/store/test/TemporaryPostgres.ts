import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Layer, Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { TestClock } from "effect/testing"
import * as Database from "../src/Database.ts"
import * as Postgres from "../src/Postgres.ts"
import * as Notifications from "../src/queue/Notifications.ts"
import * as Store from "../src/Store.ts"

/** A store on its own database, for tests that change its tables, sessions or statistics. */
export const ownPostgres = Layer.unwrap(Effect.map(migratedDatabase, (url) => Store.layer({ url })))

/** A migrated database with open connections. */
const openDatabase = Effect.gen(function* () {
  const config = { url: yield* migratedDatabase }
  const connections = yield* Postgres.make(config)
  yield* connections.sql.unsafe(`CREATE FUNCTION delete_all_rows() RETURNS void LANGUAGE plpgsql AS $$
    DECLARE name text;
    BEGIN
      SET LOCAL session_replication_role = replica;
      FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
        IF name <> 'migrations' THEN EXECUTE format('DELETE FROM %I', name); END IF;
      END LOOP;
    END $$`)
  return { config, connections }
})

type OpenDatabase = Effect.Success<typeof openDatabase>

/** The databases of this process that no test uses. They remain until the server of the run stops. */
const unused: Array<OpenDatabase> = []

/** Borrows an empty database with open connections. */
const borrowed = Effect.acquireRelease(
  Effect.suspend(() => {
    const database = unused.pop()
    return database === undefined
      ? Effect.provideService(openDatabase, Scope.Scope, Scope.makeUnsafe())
      : Effect.as(database.connections.sql.unsafe("SELECT delete_all_rows()"), database)
  }),
  (database) => Effect.sync(() => unused.push(database))
)

/**
 * An empty store for tests with the system clock. Tests share open connections, because a new connection reads the
 * catalog of the database again, which takes longer than most tests.
 */
export const livePostgres = Layer.provideMerge(
  Store.ports,
  Database.layer(
    Effect.gen(function* () {
      const { config, connections } = yield* borrowed
      const reactivity = yield* Reactivity.Reactivity
      const connect = Effect.provideService(Postgres.connect(config), Reactivity.Reactivity, reactivity)
      return yield* Database.make(connections, yield* Notifications.make({ notify: connections.sql.notify, connect }))
    })
  ).pipe(Layer.provide(Reactivity.layer), Layer.orDie)
)

/**
 * The same for tests with a test clock. The pool keeps the system clock: a test clock jumps from 1970 to now, and the
 * pool would then catch up on its periodic checks for idle connections.
 */
export const temporaryPostgres = Layer.effectContext(TestClock.withLive(Layer.build(livePostgres)))
