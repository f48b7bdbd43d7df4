import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { defaultLimits } from "@leadloom/connectors/internal/parse/ParseLimits"
import * as PooledParser from "@leadloom/connectors/internal/parse/PooledParser"
import { placeMigratedFile } from "@leadloom/testkit/MigratedFile"
import { parseProgram } from "@leadloom/testkit/Program"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { type Context, Effect, Layer, Logger, Scope } from "effect"
import { readConfig, type ServerConfig } from "../../src/config/Config.ts"
import type { Environment } from "../../src/config/Variables.ts"
import { makeHandler } from "../../src/Handler.ts"
import type { Services } from "../../src/http/Routes.ts"
import * as Server from "../../src/Server.ts"

export const adminKey = "the-operators-admin-key-of-the-tests"
const sessionSecret = "a-secret-that-signs-sessions-of-tests"

/** A response with parsed JSON. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
  /** `error.code` of the envelope; null without an envelope. */
  readonly code: string | null
}

export interface Call {
  /** The Bearer credential. */
  readonly as?: string
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The application on a separate database, without a socket and without workers. Every test over HTTP starts one with
 * `startServer`; the files beside this one add stand-ins of providers to it.
 */
export interface TestServer {
  readonly fetch: (request: Request) => Promise<Response>
  readonly call: (method: string, path: string, call?: Call) => Promise<Answer>
  /** Runs an effect with the services of the server, without logs. `drain` of `suite/Scene.ts` does its queued work. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Services>) => Promise<A>
  /** Returns the services of the server. */
  readonly services: () => Promise<Context.Context<Services>>
  readonly close: () => Promise<void>
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** Returns a field of a response by its path; undefined if it is missing. */
export const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value)

/** Returns a text field of a response; fails if it is missing. */
export const textAt = (value: unknown, ...path: ReadonlyArray<string | number>): string => {
  const found = at(value, ...path)
  if (typeof found !== "string") throw new Error(`no text at ${path.join(".")} of ${JSON.stringify(value)}`)
  return found
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads the body of a response. */
export const readResponse = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const json = parse(text)
  const code = at(json, "error", "code")
  return {
    status: response.status,
    headers: response.headers,
    text,
    json,
    code: typeof code === "string" ? code : null
  }
}

/** Returns the request of a call. Bodies are JSON unless the headers differ. */
export const requestOf = (
  method: string,
  path: string,
  { as, body, headers = {} }: Call = {},
  origin = "http://leadloom.test"
): Request => {
  const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }
  return new Request(`${origin}${path}`, {
    method,
    ...sent,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...headers
    }
  })
}

const configOf = (env: Environment): ServerConfig => {
  const config = readConfig({ LEADLOOM_ADMIN_KEY: adminKey, LEADLOOM_SESSION_SECRET: sessionSecret, ...env })
  if ("mistakes" in config) throw new Error(config.mistakes.join("\n"))
  return config
}

/** Changes the configuration where no variable can, for example the endpoints of a provider. */
export type Configure = (config: ServerConfig) => ServerConfig

const onDatabase = (env: Environment, configure: Configure): Layer.Layer<Services, unknown> =>
  process.env["LEADLOOM_TEST_DATABASE"] === "postgres"
    ? Layer.unwrap(
        Effect.map(migratedDatabase, (url) =>
          Server.services(configure(configOf({ LEADLOOM_DATABASE_URL: url, ...env })))
        )
      )
    : Server.services(configure(configOf(env)))

/**
 * The parser of this worker process, which all test files of the worker share. Its processes keep no content between two
 * mails. Starting them and compiling their code takes 0.5 s of CPU time, more than most tests. They end with the worker.
 */
const parser = Layer.effectContext(
  Effect.runSync(
    Effect.cached(Layer.buildWithScope(PooledParser.layerOf(defaultLimits, parseProgram()), Scope.makeUnsafe()))
  )
)

/**
 * Returns the services on the database of the test project: a separate file or a separate Postgres database. The
 * bundled program parses mail.
 */
export const servicesOf = (
  env: Environment,
  configure: Configure = (config) => config
): Layer.Layer<Services, unknown> => Layer.merge(onDatabase(env, configure), parser)

/** Starts the application. `change` replaces services, for example by broken ones. */
export const startServer = (
  env: Environment = {},
  change: (services: Layer.Layer<Services, unknown>) => Layer.Layer<Services, unknown> = (services) => services,
  configure?: Configure
): TestServer => {
  const folder = mkdtempSync(join(tmpdir(), "leadloom-server-"))
  placeMigratedFile(join(folder, "leadloom.db"))
  const built = Promise.withResolvers<Context.Context<Services>>()
  const keep = Layer.effectDiscard(Effect.map(Effect.context<Services>(), built.resolve))
  const layer = Layer.provideMerge(keep, change(servicesOf({ LEADLOOM_DATA_DIR: folder, ...env }, configure)))
  const handler = makeHandler(Layer.merge(layer, Logger.layer([])))
  const services = async (): Promise<Context.Context<Services>> => {
    await handler.fetch(requestOf("GET", "/health"))
    return built.promise
  }
  return {
    services,
    run: async (effect) =>
      Effect.runPromise(effect.pipe(Effect.provideContext(await services()), Effect.provide(Logger.layer([])))),
    fetch: handler.fetch,
    call: async (method, path, call) => readResponse(await handler.fetch(requestOf(method, path, call))),
    close: async () => {
      await handler.close()
      rmSync(folder, { recursive: true })
    }
  }
}
