/**
 * The program of the server: it reads the configuration, starts the server and waits for its end. `main.ts` loads it.
 * Business rules, SQL and HTTP handlers do not belong here. Tests: `packages/server/test/main.test.ts`.
 */

import { resolve } from "node:path"
import { databaseName, readDatabaseUrl } from "@leadloom/store/internal/DatabaseUrl"
import { Cause, Clock, Context, Effect, Exit, Fiber, Layer, Scheduler } from "effect"
import { HttpServer } from "effect/http"
import type { Adapters } from "./Adapters.ts"
import { readConfig, type ServerConfig } from "./config/Config.ts"
import type { Environment } from "./config/Variables.ts"
import * as Log from "./startup/Log.ts"
import * as Server from "./Server.ts"
import { StartupFailed } from "./startup/StartupFailed.ts"
import * as SpanExport from "./trace/SpanExport.ts"
import { TickScheduler } from "./watchdog/RunningOperation.ts"
import { log } from "./LogEvents.ts"

/** The reasons why a server did not start or stopped with a failure. Each one is a line with the next step. */
export interface ServerFailure {
  readonly code: "CONFIGURATION_INVALID" | "START_FAILED" | "INTERNAL"
  readonly lines: ReadonlyArray<string>
}

/** The options of `serve`. */
export interface ServeOptions {
  /** Called once when the server is ready. */
  readonly onListening?: (info: { readonly url: string }) => Promise<void> | void
  /** Reports the reasons for exit code 1. Default: writes them to standard error. */
  readonly onFailure?: (failure: ServerFailure) => void
  /** The clock of this server. A simulation can pass a clock that it advances. Default: the clock of the machine. */
  readonly clock?: Clock.Clock
  /** The adapters that replace those of the configuration. */
  readonly adapters?: Adapters
  /** Stops the server in the same way as SIGTERM. */
  readonly signal?: AbortSignal
}

/** Replaces a wildcard address in a URL by the loopback address, so that this machine can reach the URL. */
const reachable = (address: string): string =>
  address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")

/** Returns the places of the data, so that the log shows which deployment a server belongs to. */
const places = ({ dataDir, databaseUrl }: ServerConfig) => {
  const database = readDatabaseUrl(databaseUrl)
  return { data_dir: resolve(dataDir), database: database === null ? null : databaseName(database) }
}

const run = (config: ServerConfig, options: ServeOptions) =>
  Effect.gen(function* () {
    yield* log("server.starting", places(config))
    const context = yield* Layer.build(Server.layer(config, options.adapters))
    const url = reachable(HttpServer.formatAddress(Context.get(context, HttpServer.HttpServer).address))
    yield* log("server.listening", { url, data_dir: resolve(config.dataDir) })
    if (config.adminKeys.length === 0) yield* log("server.no_admin_key", {})
    yield* Effect.promise(async () => options.onListening?.({ url }))
    return yield* Effect.never
  }).pipe(
    Effect.scoped,
    Effect.onInterrupt(() => log("server.stopped", {})),
    Effect.provide(Layer.provideMerge(SpanExport.layer(config.traces), Log.layer(config)))
  )

const writeFailure = ({ lines }: ServerFailure): void => void process.stderr.write(`${lines.join("\n")}\n`)

const failureOf = (exit: Exit.Exit<never, StartupFailed>): ServerFailure | null => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return null
  const error = Cause.squash(exit.cause)
  return error instanceof StartupFailed
    ? { code: "START_FAILED", lines: [error.line] }
    : { code: "INTERNAL", lines: [`Leadloom broke: ${Cause.pretty(exit.cause)}`] }
}

/**
 * Runs a server until SIGTERM or SIGINT, then lets it finish open work. A second signal stops the server immediately.
 * Returns the exit code: 0 after a regular stop, or 1 if the server did not start. Reports the reason for 1.
 */
export const serve = async (env: Environment, options: ServeOptions = {}): Promise<number> => {
  const config = readConfig(env)
  const { clock, onFailure = writeFailure, signal } = options
  if ("mistakes" in config) {
    onFailure({ code: "CONFIGURATION_INVALID", lines: config.mistakes })
    return 1
  }
  // Every fiber of the server inherits this scheduler. The watchdog reads it to name the running operation.
  const program = Effect.provideService(
    run(config, options),
    Scheduler.Scheduler,
    new TickScheduler(() => performance.now())
  )
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
  const failure = failureOf(exit)
  if (failure !== null) onFailure(failure)
  return failure === null ? 0 : 1
}
