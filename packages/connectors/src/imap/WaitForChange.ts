import type { ProviderFailure } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { unavailable } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { Effect } from "effect"
import { commandFailure } from "./CommandFailure.ts"
import type { ImapClient } from "./ImapClient.ts"

/** The events of the selected folder: new mails, expunged mails and changed flags. */
const changes = ["exists", "expunge", "flags"] as const

const ended = (): ProviderFailure => unavailable("mail", "The connection to the mail server ended.")

/** The time within which an interrupted or renewed IDLE must end, in milliseconds. */
const doneMillis = 20_000

/** Ends IDLE with DONE, and closes the connection when the server does not respond. */
const endIdle = async ({ flow }: ImapClient): Promise<void> => {
  const timer = setTimeout(() => flow.close(), doneMillis)
  try {
    // Any command ends IDLE first. The response to NOOP shows that the connection works.
    await flow.noop()
  } finally {
    clearTimeout(timer)
  }
}

/** IDLEs until a change, until the time is over, or until IDLE is renewed. Returns whether the folder has changed. */
const idleOnce = (client: ImapClient, millis: number): Effect.Effect<boolean, ProviderFailure> =>
  Effect.callback((resume) => {
    const { flow } = client
    let isOver = false
    const stop = (): void => {
      isOver = true
      clearTimeout(timer)
      for (const name of changes) flow.off(name, onChange)
      flow.off("close", onClose)
    }
    const finish = (changed: boolean): void => {
      if (isOver) return
      stop()
      endIdle(client).then(
        () => resume(flow.usable ? Effect.succeed(changed) : Effect.fail(ended())),
        (error: unknown) => resume(Effect.fail(commandFailure(error, client.secrets)))
      )
    }
    const onChange = (): void => finish(true)
    const onClose = (): void => {
      if (isOver) return
      stop()
      resume(Effect.fail(ended()))
    }
    const timer = setTimeout(() => finish(false), millis)
    for (const name of changes) flow.on(name, onChange)
    flow.on("close", onClose)
    flow.idle().then(
      () => finish(false),
      (error: unknown) => {
        if (isOver) return
        stop()
        resume(Effect.fail(commandFailure(error, client.secrets)))
      }
    )
    return Effect.promise(async () => {
      if (isOver) return
      stop()
      await endIdle(client).catch(() => flow.close())
    })
  })

/** Waits without IDLE. Fails when the connection ends. */
const waitOnly = ({ flow }: ImapClient, millis: number): Effect.Effect<void, ProviderFailure> =>
  Effect.callback((resume) => {
    const stop = (): void => {
      clearTimeout(timer)
      flow.off("close", onClose)
    }
    const onClose = (): void => {
      stop()
      resume(Effect.fail(ended()))
    }
    const timer = setTimeout(() => {
      stop()
      resume(Effect.void)
    }, millis)
    flow.on("close", onClose)
    if (!flow.usable) onClose()
    return Effect.sync(stop)
  })

/**
 * Completes when the selected folder changes, or after `maxWaitMillis`. IDLE is renewed, so that neither the server nor
 * a gateway ends it (RFC 2177, section 3). Without IDLE, it only waits.
 */
export const waitForChange = Effect.fnUntraced(function* (client: ImapClient, maxWaitMillis: number) {
  const { flow, limits } = client
  if (!flow.usable) return yield* ended()
  if (!flow.capabilities.has("IDLE")) return yield* waitOnly(client, maxWaitMillis)
  const end = performance.now() + maxWaitMillis
  for (let left = maxWaitMillis; left > 0; left = end - performance.now()) {
    if (yield* idleOnce(client, Math.min(left, limits.idleMillis))) return
  }
})
