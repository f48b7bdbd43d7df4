import type { GateDeclaration } from "@leadloom/api/internal/Access"

/** The part of an OpenAPI 3.1 schema that the contract uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly prefixItems?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly description?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: JsonSchema
}

interface Content {
  /** For request bodies: false when the body is optional. */
  readonly required?: boolean
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>
}

export interface Operation {
  /** A route of providers or of the documentation. The client omits it. */
  readonly "x-outside-contract"?: boolean
  readonly operationId: string
  readonly tags?: ReadonlyArray<string>
  readonly summary?: string
  /** The accepted credentials; empty for a public operation. */
  readonly security?: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

/** The part of the gates that determines the credential of a request, and whether the client may repeat a POST. */
export type Gates = Readonly<Record<string, Pick<GateDeclaration, "access" | "naturalKey" | "operation">>>

/** The part of an OpenAPI 3.1 document that the generator reads, and the gates. */
export interface Document {
  readonly gates: Gates
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
  readonly tags?: ReadonlyArray<{ readonly name: string; readonly description?: string }>
}

/** Returns the JSON schema of a request or response, or null for a missing body and a file of any type. */
export const jsonBody = (content: Content | undefined): JsonSchema | null => {
  const schema = content?.content?.["application/json"]?.schema
  return schema === undefined || schema.format === "binary" ? null : schema
}

/** Reports whether a request or response has a body that is not JSON. */
export const isFile = (content: Content | undefined): boolean =>
  content?.content !== undefined && jsonBody(content) === null

/** Reports whether a response is an event stream. */
export const isEventStream = (content: Content | undefined): boolean =>
  content?.content !== undefined && "text/event-stream" in content.content

/** Returns the media type of a file, or null for any other body. */
export const fileType = (content: Content | undefined): string | null =>
  isFile(content) ? (Object.keys(content?.content ?? {})[0] ?? null) : null

/**
 * Returns the name that a reference points to, or null for another schema. The server bounds recursive schemas by
 * numbered copies (`Condition2`, …); the client treats the copies as one type.
 */
export const referenceOf = (schema: JsonSchema): string | null =>
  schema.$ref
    ?.split("/")
    .at(-1)
    ?.replace(/(?<=^Condition)\d+$/u, "") ?? null

/** Returns the schema that a reference points to; any other schema unchanged. */
export const resolve = (document: Document, schema: JsonSchema | null): JsonSchema | null => {
  const name = schema === null ? null : referenceOf(schema)
  return name === null ? schema : (document.components.schemas[name] ?? null)
}

/** Returns the names that a schema refers to directly. */
export const referencesIn = (schema: JsonSchema): ReadonlyArray<string> => {
  const own = referenceOf(schema)
  const inside = [
    ...(schema.anyOf ?? []),
    ...(schema.allOf ?? []),
    ...(schema.prefixItems ?? []),
    ...Object.values(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : [])
  ]
  return [...(own === null ? [] : [own]), ...inside.flatMap(referencesIn)]
}
