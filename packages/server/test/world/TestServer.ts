import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { defaultLimits } from "@leadloom/connectors/parse/ParseProcesses"
import * as PooledParser from "@leadloom/connectors/parse/PooledParser"
import { placeMigratedFile } from "@leadloom/testkit/MigratedFile"
import { parseProgram } from "@leadloom/testkit/Program"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Layer, Logger } from "effect"
import { readConfig, type ServerConfig } from "../../src/config/Config.ts"
import type { Environment } from "../../src/config/Variables.ts"
import { makeHandler } from "../../src/Handler.ts"
import type { Services } from "../../src/http/Routes.ts"
import * as Server from "../../src/Server.ts"

export const adminKey = "the-operators-admin-key-of-the-tests"
const sessionSecret = "a-secret-that-signs-sessions-of-tests"

/** What came back, its JSON read. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
  /** `error.code` of the envelope; null when the answer is none. */
  readonly code: string | null
}

export interface Call {
  /** The Bearer credential. */
  readonly as?: string
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The application on a database of its own, without a socket. */
export interface TestServer {
  readonly fetch: (request: Request) => Promise<Response>
  readonly call: (method: string, path: string, call?: Call) => Promise<Answer>
  readonly close: () => Promise<void>
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** A field of an answer, by its path; undefined where there is none. */
export const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value)

/** The same, where the test cannot go on without a text. */
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

/** A response with its body read. */
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

/** The request that a call makes. Bodies travel as JSON unless the headers say otherwise. */
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

const onDatabase = (env: Environment): Layer.Layer<Services, unknown> =>
  process.env["LEADLOOM_TEST_DATABASE"] === "postgres"
    ? Layer.unwrap(
        Effect.map(migratedDatabase, (url) => Server.services(configOf({ LEADLOOM_DATABASE_URL: url, ...env })))
      )
    : Server.services(configOf(env))

/**
 * The services on the database that the run names: a file of its own, or a Postgres database of its own. Mail is parsed by
 * the program that the run has bundled.
 */
export const servicesOf = (env: Environment): Layer.Layer<Services, unknown> =>
  Layer.merge(onDatabase(env), PooledParser.layerOf(defaultLimits, parseProgram()))

/** Starts the application. `change` replaces services, for example by broken ones. */
export const startServer = (
  env: Environment = {},
  change: (services: Layer.Layer<Services, unknown>) => Layer.Layer<Services, unknown> = (services) => services
): TestServer => {
  const folder = mkdtempSync(join(tmpdir(), "leadloom-server-"))
  placeMigratedFile(join(folder, "leadloom.db"))
  const services = change(servicesOf({ LEADLOOM_DATA_DIR: folder, ...env }))
  const handler = makeHandler(Layer.merge(services, Logger.layer([])))
  return {
    fetch: handler.fetch,
    call: async (method, path, call) => readResponse(await handler.fetch(requestOf(method, path, call))),
    close: async () => {
      await handler.close()
      rmSync(folder, { recursive: true })
    }
  }
}
