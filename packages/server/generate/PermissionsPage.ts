import { Api } from "@leadloom/api/Api"
import { Gate } from "@leadloom/api/Access"
import { type OperationName, operationOf } from "@leadloom/core/domain/access/Operations"
import {
  type Caller,
  callerNames,
  reachesOf,
  type Verdict,
  verdictOf
} from "@leadloom/core/domain/access/PermissionMatrix"
import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { outsideRoutes } from "../src/http/OutsideRoutes.ts"

/** An operation and the request that asks for it. */
interface Served {
  readonly name: OperationName
  readonly request: string
}

const shown = (path: string): string => path.replace(/:(\w+)/gu, "{$1}")

const ofContract = (): ReadonlyArray<Served> => {
  const served: Array<Served> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      const gate = Context.getOrUndefined(endpoint.annotations, Gate)
      if (gate !== undefined) served.push({ name: gate.name, request: `${endpoint.method} ${shown(endpoint.path)}` })
    }
  })
  return served
}

/** Heads of the columns; the names are in the legend. */
const heads: Readonly<Record<Caller, string>> = {
  "no credential": "none",
  "bad credential": "bad",
  "API key": "key",
  "API key, read": "key:r",
  "API key, messages": "key:m",
  "API key, pipeline": "key:p",
  session: "session",
  "admin key": "operator",
  "ID token, no role": "id:none",
  "ID token, agent": "id:agent",
  "ID token, manager": "id:manager",
  "ID token, admin": "id:admin",
  "ID token, admin of no tenant": "id:admin 0",
  "ID token, admin of every tenant": "id:admin *",
  "ID token, superuser": "id:super",
  "source key": "source",
  "source key of every tenant": "source *",
  "workflow secret": "workflow",
  "assistant secret": "assistant",
  "provider signature": "provider"
}

const signs: Readonly<Record<Verdict, string>> = {
  allowed: "✓",
  UNAUTHORIZED: "401",
  FORBIDDEN: "403",
  NOT_FOUND: "404"
}

const cell = (name: OperationName, caller: Caller): string =>
  [...new Set(reachesOf(name, caller).map((reach) => signs[verdictOf(name, caller, reach)]))].join(" ")

const line = (cells: ReadonlyArray<string | number>): string => `| ${cells.join(" | ")} |`

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string | number>>): string =>
  [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")

const matrixOf = (served: ReadonlyArray<Served>): string =>
  table(
    ["operation", "request", "class", "tenant", "access", ...callerNames.map((caller) => heads[caller])],
    served.map(({ name, request }) => {
      const { access, class: operation, tenant } = operationOf(name)
      const about = [`\`${name}\``, request, operation, tenant, access]
      return [...about, ...callerNames.map((caller) => cell(name, caller))]
    })
  )

const kinds: ReadonlyArray<Verdict> = ["allowed", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND"]

const countsOf = (served: ReadonlyArray<Served>): string => {
  const reported = (caller: Caller) =>
    served.flatMap(({ name }) => reachesOf(name, caller).map((reach) => verdictOf(name, caller, reach)))
  const counted = (caller: string, column: string, verdicts: ReadonlyArray<Verdict>) => [
    caller,
    column,
    ...kinds.map((kind) => verdicts.filter((verdict) => verdict === kind).length),
    verdicts.length
  ]
  return table(
    ["caller", "column", ...kinds.map((kind) => signs[kind]), "all"],
    [
      ...callerNames.map((caller) => counted(caller, heads[caller], reported(caller))),
      counted("all", "", callerNames.flatMap(reported))
    ]
  )
}

/** The permission matrix for people, in Markdown. */
export const permissionsPage = (): string => {
  const contract = ofContract()
  const outside = outsideRoutes.map(([method, path, name]) => ({ name, request: `${method} ${shown(path)}` }))
  const all = [...contract, ...outside]
  return `# Permissions

Who may do what. Written by \`npm run generate\` from \`packages/core/src/domain/access/Operations.ts\` (each operation's class, where
its request names the tenant, and whether it only reads) and \`Permission.ts\` (who may do the operations of a class).
\`packages/server/test/access/Permissions.test.ts\` asks a server for every cell.

A cell says what becomes of a request for the caller's own tenant and, where that differs, of one for another tenant: ✓ it
is let in (what is wrong with the request, or is not there, is told afterwards), 401 \`UNAUTHORIZED\`, 403 \`FORBIDDEN\`,
404 \`NOT_FOUND\`. What the columns mean is said with the counts at the end.

Three things are not in the table, because they depend on what the request says. \`sessions.mint\` with a \`location_id\`
needs no credential: the location decides (\`docs/decisions/0045-crm-actions-and-locations.md\`). \`email.connect\` with a
\`provider_grant_id\` asks for the class \`provision\`. \`attachments.download\` is public, and its address is signed.

## Operations of the contract

${matrixOf(contract)}

## Operations outside the contract

${matrixOf(outside)}

## Counts

${all.length} operations, ${callerNames.length} callers.

${countsOf(all)}
`
}
