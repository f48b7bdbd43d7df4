import { randomUUID } from "node:crypto"
import type { PgClient } from "@effect/sql-pg/PgClient"
import { Duration, Effect, Latch, Queue, Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { log } from "../LogEvents.ts"

/**
 * Notifications between the servers on one Postgres database (`LISTEN`, `NOTIFY`). SQLite has one server and needs
 * none.
 */
export interface Notifications {
  /**
   * Notifies the other servers about new work of a kind. Call it after the commit. It returns at once; the notification
   * follows within `notifyInterval`.
   */
  readonly notifyOthers: (kind: string) => void
  /**
   * Registers a callback for notifications from other servers. A notification may get lost, so waiting workers also
   * poll.
   */
  readonly onNotification: (kind: string, callback: (payload: string) => void) => void
  /**
   * Lets the notifications of a kind carry text. The sender calls `payloads` immediately before it sends. Each payload
   * has at most `maxPayloadBytes` bytes and becomes one notification.
   */
  readonly attach: (kind: string, payloads: () => ReadonlyArray<string>) => void
  /**
   * Returns the number of the present connection; null while notifications do not arrive. A new connection has another
   * number, because notifications may have been lost before it. This server checks the arrival with a notification to
   * itself.
   */
  readonly connection: () => number | null
}

/**
 * The maximum size of a payload. Postgres permits 8,000 bytes per notification, including the sender and the kind
 * (`NOTIFY_PAYLOAD_MAX_LENGTH` in src/backend/commands/async.c).
 */
export const maxPayloadBytes = 7_800

/** The Postgres channel of the notifications. */
export const notificationChannel = "leadloom_notifications"

/**
 * The minimum interval between two notifications of one server. In the whole Postgres cluster, only one commit with a
 * notification runs at a time: `PreCommit_Notify` in src/backend/commands/async.c locks "database 0" until after the
 * commit. Therefore no writing transaction sends notifications. Instead, the server sends one notification later, for
 * several commits.
 */
export const notifyInterval = Duration.millis(25)

/**
 * The maximum time until a server receives its own notification. After this time, the server reports that notifications
 * do not arrive.
 */
export const echoTimeout = Duration.seconds(5)

const retryEvery = Duration.seconds(1)

/** The connections to Postgres over which notifications are sent and received. */
export interface NotificationTransport {
  readonly notify: PgClient["notify"]
  /** Opens a connection that only listens. */
  readonly connect: Effect.Effect<Pick<PgClient, "listen">, SqlError, Scope.Scope>
}

/** Sends each requested kind of notification once, then pauses. */
const sender = (line: NotificationTransport, me: string) => {
  const kinds = new Set<string>()
  const attached = new Map<string, () => ReadonlyArray<string>>()
  const any = Latch.makeUnsafe(false)
  const notifyOthers = (kind: string): void => {
    kinds.add(kind)
    any.openUnsafe()
  }
  const send = Effect.gen(function* () {
    yield* any.await
    // The units of one commit request notifications one after another. Yielding lets all of them do this before the
    // next send.
    yield* Effect.yieldNow
    any.closeUnsafe()
    const messages = [...kinds].flatMap((kind) => {
      const payloads = attached.get(kind)?.()
      return payloads === undefined ? [kind] : payloads.map((payload) => `${kind} ${payload}`)
    })
    kinds.clear()
    // A failed notification is ignored: the other servers also poll, and presence is renewed.
    yield* Effect.forEach(messages, (message) => Effect.ignore(line.notify(notificationChannel, `${me} ${message}`)), {
      discard: true
    })
    yield* Effect.sleep(notifyInterval)
  })
  const attach: Notifications["attach"] = (kind, payloads) => void attached.set(kind, payloads)
  return { attach, notifyOthers, run: Effect.forever(send) }
}

const warnUndelivered = log("notifications.missing", {})

/**
 * Listens until the connection fails. First sends a notification to this server itself, to check whether notifications
 * arrive.
 */
const listenOn = Effect.fnUntraced(function* (
  line: NotificationTransport,
  me: string,
  onMessage: (kind: string, payload: string) => void,
  { onEcho, ready }: { readonly onEcho: () => void; readonly ready: Effect.Effect<void> }
) {
  // The handler is registered in the outer scope. The scope of the connection closes first, so a hanging UNLISTEN does
  // not delay the handler.
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
      const [sender, kind = "", ...rest] = (yield* Queue.take(messages)).payload.split(" ")
      if (sender === me) {
        onEcho()
        yield* echoed.open
      } else onMessage(kind, rest.join(" "))
    }
  })
  return yield* Effect.scoped(listening)
}, Effect.scoped)

/** Creates the notifications over Postgres. They use one connection, which is opened again after a failure. */
export const make = Effect.fnUntraced(function* (
  line: NotificationTransport
): Effect.fn.Return<Notifications, never, Scope.Scope> {
  const me = randomUUID()
  const callbacks = new Map<string, Array<(payload: string) => void>>()
  const { attach, notifyOthers, run } = sender(line, me)
  const onMessage = (kind: string, payload: string): void =>
    callbacks.get(kind)?.forEach((callback) => callback(payload))
  let lost = false
  let connections = 0
  let current: number | null = null
  const onEcho = (): void => void (current ??= ++connections)
  const found = Effect.suspend(() => {
    if (!lost) return Effect.void
    lost = false
    return log("notifications.restored", {})
  })
  const lose = (reason: string): Effect.Effect<void> => {
    if (lost) return Effect.void
    lost = true
    return log("notifications.lost", { reason })
  }
  yield* Effect.forkScoped(run)
  yield* listenOn(line, me, onMessage, { onEcho, ready: found }).pipe(
    Effect.ensuring(Effect.sync(() => void (current = null))),
    Effect.catch((error) => Effect.andThen(lose(error.message), Effect.sleep(retryEvery))),
    Effect.forever,
    Effect.forkScoped
  )
  return {
    notifyOthers,
    attach,
    onNotification: (kind, callback) => void callbacks.set(kind, [...(callbacks.get(kind) ?? []), callback]),
    connection: () => current
  }
})
