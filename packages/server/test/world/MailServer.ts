import { listen } from "@leadloom/connectors/internal/smtp/SmtpListener"
import type { SmtpLimits } from "@leadloom/connectors/internal/smtp/SmtpLimits"
import { runDialogue } from "@leadloom/connectors/internal/smtp/SmtpDialogue"
import { MailVerifier } from "@leadloom/core/internal/port/provider/MailVerifier"
import { acceptRecipient, receiveMail } from "@leadloom/core/internal/workflow/intake/ReceiveMail"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Exit, Layer, Logger, Scope } from "effect"
import type { Environment } from "../../src/config/Variables.ts"
import type { Services } from "../../src/http/Routes.ts"
import { adminKey, at, startServer, type TestServer } from "./TestServer.ts"

/** The final reply of the server: 250 or an error. */
export interface Said {
  readonly code: number
  readonly text: string
}

/** The application with a mail listener. */
export interface MailServer extends TestServer {
  readonly port: number
  readonly send: (to: ReadonlyArray<string>, raw: string | Buffer, from?: string) => Promise<Said>
  /** Returns the number of queued signals; this server has no workers. */
  readonly backlog: () => Promise<number>
  /** Returns all messages of a tenant. */
  readonly messages: (tenantId?: string) => Promise<ReadonlyArray<unknown>>
}

const timeouts = { connect: 30_000, idle: 60_000, total: 120_000 }

/** Sends a raw mail with nodemailer's client. */
export const sendTo =
  (port: number) =>
  async (to: ReadonlyArray<string>, raw: string | Buffer, from = "jane@customer.example"): Promise<Said> => {
    const relay = { host: "127.0.0.1", port, secure: false, requireTls: false, login: null, name: "sender.example" }
    const answer = await runDialogue(relay, { from, to }, Buffer.from(raw), timeouts)
    if ("broken" in answer) return { code: answer.code ?? 0, text: answer.reason }
    return { code: Number(answer.response?.slice(0, 3)), text: answer.response ?? "" }
  }

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const messagesOf = async (server: TestServer, tenantId: string): Promise<ReadonlyArray<unknown>> => {
  const get = async (path: string) =>
    (await server.call("GET", `/api/v1/tenants/${tenantId}/conversations${path}`, { as: adminKey })).json
  const contacts = list(at(await get(""), "conversations")).map((each) => String(at(each, "contact_id")))
  const pages = await Promise.all(contacts.map((contact) => get(`/${contact}`)))
  return pages.flatMap((page) => list(at(page, "messages")))
}

/** Starts the application with a mail listener on a free port. By default, mail is not authenticated. */
export const startMailServer = async (
  database: "sqlite" | "postgres",
  limits: Partial<SmtpLimits> = {},
  change: (services: Layer.Layer<Services, unknown>) => Layer.Layer<Services, unknown> = (services) => services,
  more: Environment = {},
  verifier: Layer.Layer<MailVerifier> = MailVerifier.layerOff
): Promise<MailServer> => {
  const scope = Effect.runSync(Scope.make())
  const env =
    database === "sqlite"
      ? {}
      : { LEADLOOM_DATABASE_URL: await Effect.runPromise(Scope.provide(migratedDatabase, scope)) }
  const place = Promise.withResolvers<{ readonly port: number; readonly signals: typeof Signals.Service }>()
  const handler = { accept: acceptRecipient, receive: receiveMail }
  const intake = Layer.effectDiscard(
    Effect.gen(function* () {
      const { port } = yield* listen({ host: "127.0.0.1", port: 0, tls: null, limits }, handler)
      place.resolve({ port, signals: yield* Signals })
    })
  ).pipe(Layer.provide([verifier, Logger.layer([])]))
  const server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000", ...env, ...more }, (services) =>
    Layer.provideMerge(intake, change(services))
  )
  await server.call("GET", "/health")
  const { port, signals } = await place.promise
  return {
    ...server,
    port,
    send: sendTo(port),
    backlog: () => Effect.runPromise(signals.backlog),
    messages: (tenantId = "acme") => messagesOf(server, tenantId),
    close: async () => {
      await server.close()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
}
