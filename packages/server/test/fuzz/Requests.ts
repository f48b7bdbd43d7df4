import fc from "fast-check"
import { fromSchema, type JsonSchema, type Resolve } from "./FromSchema.ts"
import { hostileHeaders, hostileText, hostileValue } from "./Hostile.ts"

interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
  readonly schema?: JsonSchema
}

interface Operation {
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>> }
}

/** The part of an OpenAPI document from which requests are built. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, JsonSchema>> }
}

/** A request that is ready to be sent. */
export interface FuzzRequest {
  readonly operation: string
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}

/** Existing ids by the names of path parameters, and credentials. */
export interface Known {
  readonly params: Readonly<Record<string, ReadonlyArray<string>>>
  readonly credentials: ReadonlyArray<string>
  /** The key of a source of custom events. */
  readonly sourceKey: string
}

/** Operations that would remove the data of all later requests. */
const spared = new Set(["DELETE /api/v1/admin/tenants/{tenant_id}"])

/** Returns whether an operation deletes something; such requests use unknown ids. */
const isEnding = (operation: string): boolean => operation.startsWith("DELETE ") || operation.endsWith("/erase")

const encoder = new TextEncoder()

/** Replaces, removes or adds one place of a value. */
const mutate = (
  value: unknown,
  steps: ReadonlyArray<number>,
  by: unknown,
  how: "replace" | "remove" | "add"
): unknown => {
  const [step, ...rest] = steps
  if (typeof value !== "object" || value === null || step === undefined)
    return how === "add" && typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value, unheard_of: by }
      : by
  const entries = Object.entries(value)
  const chosen = entries[step % Math.max(1, entries.length)]
  if (chosen === undefined) return by
  const [key, inner] = chosen
  const last = rest.length === 0 || typeof inner !== "object" || inner === null
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => {
      if (String(index) !== key) return [item]
      return last && how === "remove" ? [] : [mutate(item, last ? [] : rest, by, how)]
    })
  const others = entries.filter(([name]) => name !== key)
  if (last && how === "remove") return Object.fromEntries(others)
  return Object.fromEntries([...others, [key, mutate(inner, last ? [] : rest, by, how)]])
}

const nearMiss = (good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      good,
      fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }),
      hostileValue,
      fc.constantFrom("replace" as const, "replace" as const, "remove" as const, "add" as const)
    )
    .map(([value, steps, by, how]) => mutate(value, steps, by, how))

/** Lone surrogates are escaped, so that they survive UTF-8. */
const jsonBytes = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value) ?? "null")

const brokenBytes = fc.constantFrom(
  encoder.encode(""),
  encoder.encode("{"),
  encoder.encode('{"a":1,"a":2}'),
  encoder.encode('{"__proto__":{"a":1},"a":NaN}'),
  encoder.encode("\ufeff{}"),
  encoder.encode("[".repeat(50_000)),
  encoder.encode("a=1&b=2"),
  encoder.encode("<a/>"),
  new Uint8Array([0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22]),
  new Uint8Array([0x1f, 0x8b, 0x08, 0x00]),
  new Uint8Array(1_100_000).fill(0x20)
)

const bodyOf = (schema: JsonSchema, resolve: Resolve): fc.Arbitrary<Uint8Array> => {
  const good = fromSchema(schema, resolve)
  return fc.oneof(
    { weight: 3, arbitrary: good.map(jsonBytes) },
    { weight: 12, arbitrary: nearMiss(good).map(jsonBytes) },
    { weight: 2, arbitrary: hostileValue.map(jsonBytes) },
    { weight: 1, arbitrary: brokenBytes }
  )
}

const segment = (name: string, { params }: Known, ends: boolean): fc.Arbitrary<string> => {
  const ids = ends && name !== "tenant_id" ? [] : (params[name] ?? [])
  const odd = hostileText.map((text) => encodeURIComponent(text.toWellFormed().slice(0, 2_000)) || "%20")
  if (ids.length === 0) return odd
  return fc.oneof(
    { weight: name === "tenant_id" ? 15 : 3, arbitrary: fc.constantFrom(...ids) },
    { weight: 1, arbitrary: odd }
  )
}

const queryOf = (parameters: ReadonlyArray<Parameter>, resolve: Resolve): fc.Arbitrary<string> => {
  const named = parameters.filter((parameter) => parameter.in === "query")
  const pairs = named.map((parameter) => {
    const value = fc.oneof(
      { weight: 3, arbitrary: fromSchema(parameter.schema ?? {}, resolve).map(String) },
      { weight: 1, arbitrary: hostileText }
    )
    const pair = value.map((text) => `${parameter.name}=${encodeURIComponent(text.toWellFormed().slice(0, 3_000))}`)
    const there = fc.oneof(
      { weight: 2, arbitrary: pair.map((one) => [one]) },
      { weight: 1, arbitrary: fc.constant([]) }
    )
    return parameter.required === true ? pair.map((one) => [one]) : there
  })
  const extra = fc.oneof(
    { weight: 15, arbitrary: fc.constant<ReadonlyArray<string>>([]) },
    { weight: 1, arbitrary: fc.constantFrom(["limit=1", "limit=2"], ["%"], ["__proto__=1"], ["cursor=x"], ["&&==&"]) }
  )
  return fc.tuple(extra, ...pairs).map((parts) => parts.flat().join("&"))
}

/** Returns requests for every operation of a contract. Most are almost valid. */
export const requestsOf = (document: OpenApiDocument, known: Known): fc.Arbitrary<FuzzRequest> => {
  const schemas = document.components?.schemas ?? {}
  const resolve: Resolve = (reference) => schemas[decodeURIComponent(reference.split("/").at(-1) ?? "")] ?? {}
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`
      return spared.has(name) ? [] : [{ name, method: method.toUpperCase(), path, operation }]
    })
  )
  const requests = operations.map(({ method, name, operation, path }) => {
    const parameters = operation.parameters ?? []
    const names = [...path.matchAll(/\{([^}]+)\}/gu)].map(([, found]) => found ?? "")
    const params = fc.record(Object.fromEntries(names.map((one) => [one, segment(one, known, isEnding(name))])))
    const json = operation.requestBody?.content?.["application/json"]?.schema
    const body = json === undefined ? fc.constant(null) : bodyOf(json, resolve)
    const credential = path.startsWith("/api/v1/events/")
      ? fc.constant(known.sourceKey)
      : fc.oneof(
          { weight: 12, arbitrary: fc.constantFrom(...known.credentials) },
          { weight: 1, arbitrary: fc.constantFrom("", "Bearer", "llk_aaaaaaaa_x", "a.b.c", "é", "x".repeat(3_000)) }
        )
    return fc
      .record({ params, query: queryOf(parameters, resolve), body, credential, extra: hostileHeaders })
      .map((drawn) => {
        const filled = path.replaceAll(/\{([^}]+)\}/gu, (_, key: string) => drawn.params[key] ?? "")
        const headers = {
          ...(drawn.credential === "" ? {} : { authorization: `Bearer ${drawn.credential}` }),
          ...(drawn.body === null ? {} : { "content-type": "application/json" }),
          ...drawn.extra
        }
        return {
          operation: name,
          method,
          path: drawn.query === "" ? filled : `${filled}?${drawn.query}`,
          headers,
          body: drawn.body
        }
      })
  })
  return fc.oneof(...requests)
}
