import { Context } from "effect"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import type { Operation } from "@leadloom/core/internal/domain/access/Permission"
import { Gate, type GateDeclaration } from "./Access.ts"
import { type DocumentedOperation, type DocumentedResponse, operationsOf } from "./DocumentTransport.ts"

/**
 * The callers of each class of operations (`core/domain/access/Permission`), as a sentence. `scope` is the scope that
 * an API key with scopes needs.
 */
const callers: Readonly<Record<Operation, (gate: GateDeclaration, scope: string) => string>> = {
  public: () => "No credential is needed",
  agent: (_, scope) =>
    `API key of the tenant (a key with scopes needs \`${scope}\`), session token, ID token with the role agent or higher, or operator admin key`,
  pipeline: () =>
    "API key of the tenant (a key with scopes needs `pipeline`), console session of a manager or admin, ID token with the role agent or higher, or operator admin key",
  manage: () => "ID token or console session with the role manager or higher, or operator admin key",
  administer: () => "ID token or console session with the role admin or higher, or operator admin key",
  operate: ({ tenant }) =>
    tenant === "path"
      ? "ID token with the role admin or higher for this tenant, or operator admin key"
      : "ID token with the role admin for all tenants, ID token with the role superuser, or operator admin key",
  provision: () =>
    "ID token with the role admin for all tenants, ID token with the role superuser, or operator admin key",
  superuse: () => "ID token with the role superuser",
  mintSession: () =>
    "For a tenant: ID token with the role agent or higher, or operator admin key. For a location: no credential",
  self: () => "Every API key and session token, ID token with a role, or operator admin key",
  sendEvent: () => "Key of the source, as a Bearer credential or in `X-Source-Key`",
  crmAction: () =>
    "API key of the tenant (a key with scopes needs `pipeline`), operator admin key, or the shared secret in `X-Workflow-Secret`",
  providerEvent: () => "The provider, which signs its requests",
  assistantTool: () => "The voice assistant, with its secret"
}

const limiters: Readonly<Record<GateDeclaration["limiter"], string | null>> = {
  admin: "Rate limit: per credential",
  webhook: "Rate limit: per tenant",
  public: "Rate limit: per network address",
  none: null
}

/** Describes the callers of an operation and the limits on its requests, from its gate. */
const rulesOf = (gate: GateDeclaration): string =>
  [
    `Callers: ${callers[gate.operation](gate, gate.access === "read" ? "read" : "messages")}`,
    limiters[gate.limiter],
    gate.email === true ? "HIPAA tenants receive 403 `HIPAA_RESTRICTED`" : null
  ]
    .filter((line) => line !== null)
    .map((line) => `${line}.`)
    .join(" ")

const gatesOf = <Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<"leadloom", Groups>
): ReadonlyMap<string, GateDeclaration> => {
  const gates = new Map<string, GateDeclaration>()
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group }) => {
      const gate = Context.getOrUndefined(endpoint.annotations, Gate)
      if (gate !== undefined) gates.set(`${group.identifier}.${endpoint.identifier}`, gate)
    }
  })
  return gates
}

/** The header with which an API key or the admin key names a user. */
const actingUserParameter = {
  name: "x-acting-user",
  in: "header",
  required: false,
  description:
    "The id of the active user (`usr_…`) for whom an API key or the admin key sends the request. Messages, notes, the timeline, events and the audit trail then name this user. It changes no right. Sessions and ID tokens act as their own user and may not send it",
  schema: { type: "string" }
} as const

/** Returns the header parameters of an operation beyond its declared ones. Only operations of agents name a user. */
const extraHeaders = ({ operation, tenant }: GateDeclaration) =>
  (operation === "agent" || operation === "pipeline") && (tenant === "path" || tenant === "query")
    ? [actingUserParameter]
    : []

interface NamedSchema {
  readonly $ref?: string
  readonly anyOf?: ReadonlyArray<NamedSchema>
  readonly description?: string
  readonly properties?: {
    readonly error?: { readonly properties?: { readonly code?: { readonly enum?: ReadonlyArray<string> } } }
  }
}

type Schemas = Readonly<Record<string, NamedSchema>>

/** Returns the schemas of a body, with references resolved. */
const choicesOf = (schema: NamedSchema | undefined, schemas: Schemas): ReadonlyArray<NamedSchema> => {
  if (schema === undefined) return []
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((choice) => choicesOf(choice, schemas))
  const named = schema.$ref === undefined ? schema : schemas[schema.$ref.split("/").at(-1) ?? ""]
  return named === undefined ? [] : [named]
}

const firstSchema = (content: Readonly<Record<string, unknown>> | undefined): NamedSchema | undefined => {
  const [media] = Object.values(content ?? {})
  return (media as { readonly schema?: NamedSchema } | undefined)?.schema
}

const failureText = (choice: NamedSchema): string => {
  const code = choice.properties?.error?.properties?.code?.enum?.[0]
  const meaning = choice.description ?? "The request failed"
  return code === undefined ? meaning : `\`${code}\`: ${meaning}`
}

/** Describes a failure by the code and the meaning of each possible error, unless the response has its own sentence. */
const describeFailure = (response: DocumentedResponse, schemas: Schemas): void => {
  const choices = choicesOf(firstSchema(response.content), schemas)
  const isGeneric = /^\w+(?: \| \w+)*$/u.test(response.description)
  if (choices.length > 0 && isGeneric) response.description = choices.map(failureText).join(". ")
}

const emptySuccess = "Done. The response has no body"

const describeResponses = ({ responses }: DocumentedOperation, schemas: Schemas): void => {
  for (const [status, response] of Object.entries(responses)) {
    if (Number(status) >= 400) describeFailure(response, schemas)
    else if (response.content === undefined && status === "204") response.description = emptySuccess
    else if (["Success", "StreamUint8Array", "Uint8Array"].includes(response.description)) {
      const [choice] = choicesOf(firstSchema(response.content), schemas)
      response.description = choice?.description ?? "The content as bytes"
    }
  }
}

const describeBody = ({ requestBody }: DocumentedOperation, schemas: Schemas): void => {
  if (requestBody === undefined) return
  const texts = choicesOf(firstSchema(requestBody.content), schemas).flatMap(({ description }) => description ?? [])
  Object.assign(requestBody, { description: texts.length === 0 ? "The content as bytes" : texts.join(". Or: ") })
}

/**
 * Describes callers, limits, the acting user, request bodies and responses of every operation from its gate and its
 * schemas.
 */
export const documentTexts =
  <Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<"leadloom", Groups>) =>
  (spec: Record<string, unknown>): Record<string, unknown> => {
    const gates = gatesOf(api)
    const { schemas = {} } = (spec["components"] ?? {}) as { readonly schemas?: Schemas }
    for (const [, operation] of operationsOf(spec)) {
      describeBody(operation, schemas)
      describeResponses(operation, schemas)
      const gate = gates.get(operation.operationId)
      if (gate === undefined) continue
      const own = operation.description === undefined ? [] : [operation.description]
      Object.assign(operation, { description: [...own, rulesOf(gate)].join("\n\n") })
      const parameters = [...(operation.parameters ?? []), ...extraHeaders(gate)]
      if (parameters.length > 0) Object.assign(operation, { parameters })
    }
    return spec
  }

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** The limits of `Schema.Int`, which say nothing to a reader. */
const isSafeLimit = (value: unknown): boolean => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER

/** Returns whether a part of an `allOf` can be written beside the others: a reference, or a description. */
const isMergeable = (part: Record<string, unknown>): boolean =>
  Object.keys(part).every((key) => key === "$ref" || key === "description")

/**
 * Simplifies a schema in place: an `anyOf` with one choice becomes the choice, an `allOf` of a reference and
 * a description becomes a reference with a description, and limits of the language disappear.
 */
const simplify = (value: Record<string, unknown>): void => {
  for (const inner of Object.values(value)) {
    if (Array.isArray(inner)) inner.filter(isRecord).forEach(simplify)
    else if (isRecord(inner)) simplify(inner)
  }
  const { anyOf } = value
  if (Array.isArray(anyOf) && anyOf.length === 1 && isRecord(anyOf[0])) {
    delete value["anyOf"]
    Object.assign(value, { ...anyOf[0], ...value })
  }
  const { allOf } = value
  if (Array.isArray(allOf) && allOf.every(isRecord) && allOf.every(isMergeable)) {
    delete value["allOf"]
    Object.assign(value, ...allOf)
  }
  if (value["type"] !== "integer") return
  if (isSafeLimit(value["minimum"])) delete value["minimum"]
  if (isSafeLimit(value["maximum"])) delete value["maximum"]
}

const withoutDescription = (schema: unknown): string => {
  if (!isRecord(schema)) return JSON.stringify(schema)
  const { description: _, ...rest } = schema
  return JSON.stringify(rest)
}

const prefix = "#/components/schemas/"

/**
 * Returns the original of each numbered copy. The framework copies a named schema when a field gives it another
 * description.
 */
const originalsOf = (schemas: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> => {
  const originals = new Map<string, string>()
  for (const [name, schema] of Object.entries(schemas)) {
    const original = name.replace(/_\d+$/u, "")
    if (original !== name && withoutDescription(schemas[original]) === withoutDescription(schema))
      originals.set(`${prefix}${name}`, `${prefix}${original}`)
  }
  return originals
}

/** Replaces references to copies in place. The description of the copy moves to the place of the reference. */
const redirect = (
  value: Record<string, unknown>,
  originals: ReadonlyMap<string, string>,
  schemas: Readonly<Record<string, unknown>>
): void => {
  for (const inner of Object.values(value)) {
    if (Array.isArray(inner)) inner.filter(isRecord).forEach((item) => redirect(item, originals, schemas))
    else if (isRecord(inner)) redirect(inner, originals, schemas)
  }
  const { $ref } = value
  const original = typeof $ref === "string" ? originals.get($ref) : undefined
  if (typeof $ref !== "string" || original === undefined) return
  const [copy, named] = [schemas[$ref.slice(prefix.length)], schemas[original.slice(prefix.length)]]
  value["$ref"] = original
  const own = isRecord(copy) ? copy["description"] : undefined
  if (own !== undefined && isRecord(named) && own !== named["description"] && value["description"] === undefined)
    value["description"] = own
}

/** Simplifies the schemas of the document without changing the values that they accept. */
export const documentSchemas = (spec: Record<string, unknown>): Record<string, unknown> => {
  simplify(spec)
  const { schemas } = (spec["components"] ?? {}) as { readonly schemas?: Record<string, unknown> }
  if (schemas === undefined) return spec
  const originals = originalsOf(schemas)
  redirect(spec, originals, schemas)
  for (const copy of originals.keys()) delete schemas[copy.slice(prefix.length)]
  return spec
}
