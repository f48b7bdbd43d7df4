import { randomUUID } from "node:crypto"
import type { PgClient } from "@effect/sql-pg/PgClient"
import { Duration, Effect, Latch, Queue, Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** Notifications between the servers on one Postgres database (`LISTEN`, `NOTIFY`). SQLite has one server and needs none. */
export interface Notifications {
  /** Tells the other servers that there is work of a kind, soon and never waiting for it. To be called after a commit. */
  readonly notifyOthers: (kind: string) => void
  /** Calls back on a notification of another server. One may be lost, so a waiting worker also polls. */
  readonly onNotification: (kind: string, callback: () => void) => void
}

/** The Postgres channel of the notifications. */
export const notificationChannel = "leadloom_notifications"

/**
 * The shortest interval between two notifications of one server. Commits that notify take turns in the whole of Postgres (`PreCommit_Notify`
 * in src/backend/commands/async.c takes a lock on "database 0" until after the commit), so nothing is sent by the
 * transactions that write: their servers say afterwards, once for all of them.
 */
export const notifyInterval = Duration.millis(25)

/** How long a notification to itself may take before a server reports that none arrive. */
export const echoTimeout = Duration.seconds(5)

const retryEvery = Duration.seconds(1)

const registered = new WeakMap<SqlClient, Notifications>()

/** The notifications of a client, as set by `install`. */
export const notificationsOf = (sql: SqlClient): Notifications | undefined => registered.get(sql)

/** The connections to Postgres that notifications use. */
export interface NotificationTransport {
  readonly notify: PgClient["notify"]
  /** A connection that does nothing but listen. */
  readonly connect: Effect.Effect<Pick<PgClient, "listen">, SqlError, Scope.Scope>
}

/** Sends each requested kind once, then pauses. */
const sender = (line: NotificationTransport, me: string) => {
  const kinds = new Set<string>()
  const any = Latch.makeUnsafe(false)
  const notifyOthers = (kind: string): void => {
    kinds.add(kind)
    any.openUnsafe()
  }
  const send = Effect.gen(function* () {
    yield* any.await
    // The units of one commit notify one after another, right now.
    yield* Effect.yieldNow
    any.closeUnsafe()
    const pending = [...kinds]
    kinds.clear()
    // Nobody hears it when it fails; they look for themselves then.
    yield* Effect.forEach(pending, (kind) => Effect.ignore(line.notify(notificationChannel, `${me} ${kind}`)), {
      discard: true
    })
    yield* Effect.sleep(notifyInterval)
  })
  return { notifyOthers, run: Effect.forever(send) }
}

const warnUndelivered = Effect.logWarning(
  "notifications of Postgres do not arrive, as behind a pooler in transaction mode: workers of several servers look for each other's work once a second instead"
)

/** Listens for as long as a connection lasts. A first message to itself shows whether any arrives. */
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
    const check = Effect.andThen(
      line.notify(notificationChannel, `${me} `),
      Effect.timeoutOption(echoed.await, echoTimeout)
    )
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

/** Notifications over Postgres. They hold one connection and reconnect whenever it breaks. */
export const make = Effect.fnUntraced(function* (
  line: NotificationTransport
): Effect.fn.Return<Notifications, never, Scope.Scope> {
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

/** Sets up the notifications of a Postgres client, on a connection of their own. */
export const install = (
  sql: PgClient,
  connect: NotificationTransport["connect"]
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.map(make({ notify: sql.notify, connect }), (notifications) => void registered.set(sql, notifications))
