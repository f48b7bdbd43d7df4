import { randomUUID } from "node:crypto"
import type { PgClient } from "@effect/sql-pg/PgClient"
import { Duration, Effect, Latch, Queue, Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** By what the servers on one Postgres database wake each other. Elsewhere a server is alone and needs none. */
export interface Notifications {
  /** Tells the other servers that there is work of a kind, soon and never waiting for it. To be called after a commit. */
  readonly notifyOthers: (kind: string) => void
  /** Calls back whenever another server has rung. One may be missed: who waits also looks from time to time. */
  readonly onNotification: (kind: string, callback: () => void) => void
}

/** The channel in Postgres that bells are rung on. */
export const notificationChannel = "leadloom_notifications"

/**
 * One server rings no more often than this. Commits that notify take turns in the whole of Postgres (`PreCommit_Notify`
 * in src/backend/commands/async.c takes a lock on "database 0" until after the commit), so nothing is sent by the
 * transactions that write: their servers say afterwards, once for all of them.
 */
export const notifyInterval = Duration.millis(25)

/** How long a bell's own voice may take until it is clear that none comes through. */
export const echoTimeout = Duration.seconds(5)

const retryEvery = Duration.seconds(1)

const registered = new WeakMap<SqlClient, Notifications>()

/** The bell of a client, as `install` has given it one. */
export const notificationsOf = (sql: SqlClient): Notifications | undefined => registered.get(sql)

/** How Postgres is reached for this. */
export interface NotificationTransport {
  readonly notify: PgClient["notify"]
  /** A connection that does nothing but listen. */
  readonly connect: Effect.Effect<Pick<PgClient, "listen">, SqlError, Scope.Scope>
}

/** Says what a bell was rung for, each kind once, with a pause behind. */
const sender = (line: NotificationTransport, me: string) => {
  const kinds = new Set<string>()
  const any = Latch.makeUnsafe(false)
  const notifyOthers = (kind: string): void => {
    kinds.add(kind)
    any.openUnsafe()
  }
  const send = Effect.gen(function* () {
    yield* any.await
    // The units of one commit ring one after another, right now.
    yield* Effect.yieldNow
    any.closeUnsafe()
    const pending = [...kinds]
    kinds.clear()
    // Nobody hears it when it fails; they look for themselves then.
    yield* Effect.forEach(pending, (kind) => Effect.ignore(line.notify(notificationChannel, `${me} ${kind}`)), { discard: true })
    yield* Effect.sleep(notifyInterval)
  })
  return { notifyOthers, run: Effect.forever(send) }
}

const warnUndelivered = Effect.logWarning(
  "notifications of Postgres do not arrive, as behind a pooler in transaction mode: workers of several servers look for each other's work once a second instead"
)

/** Hears for as long as a connection lasts. A first message to itself shows whether any arrives. */
const listenOn = Effect.fnUntraced(function* (
  line: NotificationTransport,
  me: string,
  onMessage: (kind: string) => void,
  ready: Effect.Effect<void>
) {
  // Registered in the scope around the connection's: that closes first, and nobody waits for a hanging UNLISTEN.
  const around = yield* Effect.scope
  const listening = Effect.gen(function* () {
    const connection = yield* line.connect
    const messages = yield* Scope.provide(connection.listen(notificationChannel), around)
    yield* ready
    const echoed = yield* Latch.make(false)
    const check = Effect.andThen(line.notify(notificationChannel, `${me} `), Effect.timeoutOption(echoed.await, echoTimeout))
    yield* check.pipe(
      Effect.flatMap((echo) => (echo._tag === "None" ? warnUndelivered : Effect.void)),
      Effect.ignore,
      Effect.forkScoped
    )
    while (true) {
      const [sender, kind = ""] = (yield* Queue.take(messages)).payload.split(" ")
      if (sender === me) yield* echoed.open
      else onMessage(kind)
    }
  })
  return yield* Effect.scoped(listening)
}, Effect.scoped)

/** A bell on a line to Postgres. It costs one connection, and takes a new one as often as that breaks. */
export const make = Effect.fnUntraced(function* (line: NotificationTransport): Effect.fn.Return<Notifications, never, Scope.Scope> {
  const me = randomUUID()
  const callbacks = new Map<string, Array<() => void>>()
  const { notifyOthers, run } = sender(line, me)
  const onMessage = (kind: string): void => callbacks.get(kind)?.forEach((callback) => callback())
  let lost = false
  const found = Effect.suspend(() => {
    if (!lost) return Effect.void
    lost = false
    return Effect.logInfo("other servers wake the workers of this one again")
  })
  const lose = (reason: string): Effect.Effect<void> => {
    if (lost) return Effect.void
    lost = true
    return Effect.logWarning("other servers cannot wake the workers of this one; they look once a second").pipe(
      Effect.annotateLogs({ reason })
    )
  }
  yield* Effect.forkScoped(run)
  yield* listenOn(line, me, onMessage, found).pipe(
    Effect.catch((error) => Effect.andThen(lose(error.message), Effect.sleep(retryEvery))),
    Effect.forever,
    Effect.forkScoped
  )
  return {
    notifyOthers,
    onNotification: (kind, callback) => void callbacks.set(kind, [...(callbacks.get(kind) ?? []), callback])
  }
})

/** Gives a client of Postgres its bell, on a connection of its own beside the client's. */
export const install = (sql: PgClient, connect: NotificationTransport["connect"]): Effect.Effect<void, never, Scope.Scope> =>
  Effect.map(make({ notify: sql.notify, connect }), (notifications) => void registered.set(sql, notifications))
