import type { Call } from "../../generate/ExampleRecorder.ts"
import { flagOf } from "../../src/operation/Flags.ts"
import type { Field, Operation } from "../../src/operation/Operation.ts"
import { operations } from "../../src/operation/generated/operations.ts"

/** A command line with its standard input. */
export interface CommandLine {
  readonly args: ReadonlyArray<string>
  readonly input?: string
}

/** The parameters and the body of a request as a command line needs them. */
interface Given {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  // The bodies are the JSON of the example scenario.
  readonly body: Readonly<Record<string, unknown>>
}

const option = (flag: string, value: unknown): ReadonlyArray<string> =>
  value === undefined || value === null ? [] : [flag, String(value)]

const tenantOf = ({ body, params, query }: Given): ReadonlyArray<string> =>
  option("--tenant", params["tenant_id"] ?? query["tenant_id"] ?? body["tenant_id"])

const viaApi = (path: string, { body }: Given): CommandLine => ({
  args: ["api", "POST", path, "--data", JSON.stringify(body)]
})

const id = ({ params }: Given, name: string): string => params[`${name}_id`] ?? ""

const texts = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.map(String) : [])

const people = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.map((one) => String(Object(one).email)) : []

type Line = (given: Given) => CommandLine

/** Creates a command line with the tenant and further arguments. */
const line =
  (command: string, more: (given: Given) => ReadonlyArray<string> = () => [], input?: (given: Given) => string): Line =>
  (given) => ({
    args: [...command.split(" "), ...more(given), ...tenantOf(given)],
    ...(input === undefined ? {} : { input: input(given) })
  })

const webhook = (given: Given) => [id(given, "webhook")]

/** The command lines of the hand-written commands. `import` reads files and is not listed. */
const handWrittenLines: Readonly<Record<string, Line>> = {
  "tenants.create": ({ body }) => ({
    args: [
      "tenants",
      "create",
      String(body["tenant_id"]),
      "--name",
      String(body["name"]),
      "--domain",
      String(body["domain"])
    ]
  }),
  "tenants.list": () => ({ args: ["tenants", "list"] }),
  "tenants.get": (given) => ({ args: ["tenants", "get", id(given, "tenant")] }),
  "tenants.archive": (given) => ({ args: ["tenants", "archive", id(given, "tenant")] }),
  "sources.list": line("sources list"),
  "sources.create": line("sources create", ({ body }) => [String(body["source_id"])]),
  "sources.remove": line("sources remove", (given) => [id(given, "source")]),
  "sources.listGlobal": line("sources list --all-tenants"),
  "sources.createGlobal": line("sources create --all-tenants", ({ body }) => [String(body["source_id"])]),
  "sources.removeGlobal": line("sources remove --all-tenants", (given) => [id(given, "source")]),
  // `console` prints the link of a ticket, so the scenario gets a ticket itself through `api`.
  "sessions.createTicket": (given) =>
    given.body["role"] === undefined ? line("console")(given) : viaApi("sessions/tickets", given),
  "sessions.mint": (given) =>
    given.body["ticket"] === undefined
      ? line("sessions mint", ({ body }) => option("--user", body["user_id"]))(given)
      : viaApi("sessions", given),
  "apiKeys.list": line("keys list"),
  "apiKeys.create": line("keys create", ({ body }) => [
    ...option("--name", body["name"]),
    "--scope",
    ...texts(body["scopes"])
  ]),
  "apiKeys.rotate": line("keys rotate", ({ body }) => [String(body["key_id"])]),
  "apiKeys.revoke": line("keys revoke", (given) => [id(given, "key")]),
  "leakedKeys.check": line("keys check -", undefined, ({ body }) => String(body["text"])),
  "config.presets": line("config presets"),
  "config.get": line("config get"),
  "config.replace": line("config put", undefined, ({ body }) => JSON.stringify(body)),
  "config.audit": line("config audit"),
  "config.scaffold": line("config scaffold --overwrite", ({ body }) => option("--preset", body["preset"])),
  "pipeline.dryRun": line("pipeline dry-run", ({ body }) => option("--message", body["message"])),
  "pipeline.getRun": line("explain", (given) => [id(given, "signal")]),
  "pipeline.replayRun": line("replay", (given) => [id(given, "signal")]),
  "backtest.run": line("backtest --config -", undefined, ({ body }) => JSON.stringify(body)),
  "billing.status": line("billing status"),
  "billing.activate": line("billing activate", ({ body }) => option("--plan", body["plan"])),
  "billing.transactions": line("billing credits list"),
  "billing.grant": line("billing credits grant", ({ body }) => [
    ...option("--amount", body["amount"]),
    ...option("--reference", body["reference"]),
    ...option("--note", body["note"])
  ]),
  "email.connect": line("email connect", ({ body }) => [String(body["email"]), ...option("--name", body["name"])]),
  "email.listGrants": line("email grants"),
  "email.setDefaultGrant": line("email default", ({ body }) => [String(body["grant_id"])]),
  "email.disconnect": line("email disconnect", (given) => [id(given, "grant")]),
  "email.send": line("email send", ({ body }) => [
    "--to",
    ...people(body["to"]),
    ...option("--subject", body["subject"]),
    ...option("--body", body["body"])
  ]),
  "email.getAliases": line("email aliases"),
  "email.updateAliases": line("email aliases", ({ body }) => texts(body["aliases"])),
  "email.updateSignature": line("email signature", undefined, ({ body }) => String(body["signature"])),
  "webhooks.list": line("webhooks list"),
  "webhooks.create": line("webhooks create", ({ body }) => [
    ...option("--to", body["url"]),
    ...option("--description", body["description"]),
    ...option("--max-in-flight", body["max_in_flight"])
  ]),
  "webhooks.update": line("webhooks update", (given) => [
    ...webhook(given),
    "--events",
    texts(given.body["events"]).join()
  ]),
  "webhooks.delete": line("webhooks delete", webhook),
  "webhooks.test": line("webhooks test", (given) => [
    ...webhook(given),
    ...option("--event", given.body["event_type"])
  ]),
  "webhooks.rotateSecret": line("webhooks rotate", webhook),
  "webhooks.deliveries": line("webhooks deliveries", (given) => [
    ...webhook(given),
    ...option("--status", given.query["status"]),
    ...option("--limit", given.query["limit"])
  ]),
  "webhooks.redeliver": line("webhooks redeliver", (given) => [...webhook(given), id(given, "delivery")]),
  "webhooks.recover": line("webhooks recover", (given) => [
    ...webhook(given),
    ...option("--since", given.body["since"])
  ])
}

const optionsOf = (field: Field, value: unknown): ReadonlyArray<string> => {
  const flag = flagOf(field)
  if (field.type === "boolean") return [String(value) === "true" ? flag : flag.replace("--", "--no-")]
  return (Array.isArray(value) ? value : [value]).flatMap((one) => [flag, String(one)])
}

/**
 * Returns the command line of a derived command. Fields without an option, and the content of a file, arrive through
 * standard input.
 */
const derivedLine = (operation: Operation, { body, params, query }: Given, file?: string): CommandLine => {
  const values: Readonly<Record<string, unknown>> = { ...body, ...query, ...params }
  const plain = operation.fields.filter(({ name, secret }) => (values[name] ?? null) !== null && secret !== true)
  const names = new Set(plain.map(({ name }) => name))
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)))
  return {
    args: [
      ...operation.command.split(" "),
      ...plain.flatMap(({ argument, name }) => (argument === true ? [String(values[name])] : [])),
      ...plain.flatMap((field) => (field.argument === true ? [] : optionsOf(field, values[field.name]))),
      ...(Object.keys(rest).length === 0 && file === undefined ? [] : ["--data", "-"])
    ],
    input: file ?? JSON.stringify(rest)
  }
}

/** Returns the command line that carries out an operation. */
export const commandLineOf = (operationId: string, { body, file, params = {}, query = {} }: Call): CommandLine => {
  const given = { params, query, body: Object(body) }
  const derived = operations.find((operation) => operation.id === operationId)
  if (derived !== undefined) return derivedLine(derived, given, file)
  const written = handWrittenLines[operationId]
  if (written === undefined) throw new Error(`No command line for ${operationId}`)
  return written(given)
}
