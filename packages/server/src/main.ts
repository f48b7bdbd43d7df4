import { Cause, Clock, Context, Effect, Exit, Fiber, Layer, Scheduler } from "effect"
import { HttpServer } from "effect/http"
import { readConfig, type ServerConfig } from "./config/Config.ts"
import type { Environment } from "./config/Variables.ts"
import * as Log from "./startup/Log.ts"
import * as Server from "./Server.ts"
import { StartupFailed } from "./startup/StartupFailed.ts"
import { TickScheduler } from "./watchdog/RunningOperation.ts"

/** What the caller wants to be told. */
export interface Hooks {
  /** Called once, when the server answers. */
  readonly onListening?: (info: { readonly url: string }) => Promise<void> | void
  /** What time it is for this server; default: that of the machine. A simulation has a day pass by it. */
  readonly clock?: Clock.Clock
  /** Ends the server as a signal of the operating system does. */
  readonly signal?: AbortSignal
}

const hint = Effect.logWarning(
  "LEADLOOM_ADMIN_KEY is not set: nobody can create tenants or configure anything. Set it, e.g. to: openssl rand -hex 32"
)

/** Where the server can be reached from this machine: a wildcard address is no destination. */
const reachable = (address: string): string =>
  address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")

const run = (config: ServerConfig, hooks: Hooks) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Server.layer(config))
    const url = reachable(HttpServer.formatAddress(Context.get(context, HttpServer.HttpServer).address))
    yield* Effect.logInfo("listening").pipe(Effect.annotateLogs({ url, data_dir: config.dataDir }))
    if (config.adminKeys.length === 0) yield* hint
    yield* Effect.promise(async () => hooks.onListening?.({ url }))
    return yield* Effect.never
  }).pipe(
    Effect.scoped,
    Effect.onInterrupt(() => Effect.logInfo("stopped")),
    Effect.provide(Log.layer(config.logLevel))
  )

const say = (line: string): void => void process.stderr.write(`${line}\n`)

const exitCodeOf = (exit: Exit.Exit<never, StartupFailed>): number => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return 0
  const error = Cause.squash(exit.cause)
  say(error instanceof StartupFailed ? error.line : `Leadloom broke: ${Cause.pretty(exit.cause)}`)
  return 1
}

/**
 * Runs a server until it is told to stop (SIGTERM, SIGINT) and has finished what it had begun; a second signal ends it at
 * once. Answers the exit code: 0 for a clean stop, 1 when it could not start, after one line on standard error.
 */
export const serve = async (env: Environment, hooks: Hooks = {}): Promise<number> => {
  const config = readConfig(env)
  if ("mistakes" in config) {
    config.mistakes.forEach(say)
    return 1
  }
  // Every fiber of the server inherits it; the watchdog asks it what ran.
  const program = Effect.provideService(
    run(config, hooks),
    Scheduler.Scheduler,
    new TickScheduler(() => performance.now())
  )
  const { clock, signal } = hooks
  const fiber = Effect.runFork(clock === undefined ? program : Effect.provideService(program, Clock.Clock, clock))
  const stop = (): void => {
    signal?.removeEventListener("abort", stop)
    process.off("SIGTERM", stop).off("SIGINT", stop)
    fiber.interruptUnsafe()
  }
  process.on("SIGTERM", stop).on("SIGINT", stop)
  signal?.addEventListener("abort", stop, { once: true })
  const exit = await Effect.runPromise(Fiber.await(fiber))
  process.off("SIGTERM", stop).off("SIGINT", stop)
  return exitCodeOf(exit)
}

if (import.meta.main) process.exitCode = await serve(process.env)
