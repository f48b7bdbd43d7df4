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
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

interface Content {
  /** Of a request body: false where it may be left out. */
  readonly required?: boolean
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>
}

export interface Operation {
  /** A route of providers or of the documentation, which the client leaves out. */
  readonly "x-outside-contract"?: boolean
  readonly operationId: string
  readonly tags?: ReadonlyArray<string>
  readonly summary?: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

/** The part of an OpenAPI 3.1 document that the client is made from. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
  readonly tags?: ReadonlyArray<{ readonly name: string; readonly description?: string }>
}

/** The JSON schema of a request or an answer; null when it has no body, or one that is a file of whatever type. */
export const jsonBody = (content: Content | undefined): JsonSchema | null => {
  const schema = content?.content?.["application/json"]?.schema
  return schema === undefined || schema.format === "binary" ? null : schema
}

/** Whether a request or an answer is a file: it has a body, and that is no JSON. */
export const isFile = (content: Content | undefined): boolean =>
  content?.content !== undefined && jsonBody(content) === null

/** Whether an answer is a stream of events, to be read as they come. */
export const isEventStream = (content: Content | undefined): boolean =>
  content?.content !== undefined && "text/event-stream" in content.content

/** The media type of a file; null when it is none. */
export const fileType = (content: Content | undefined): string | null =>
  isFile(content) ? (Object.keys(content?.content ?? {})[0] ?? null) : null

/**
 * The name a reference points at; null when the schema is none. A recursive schema whose depth the server bounds comes as
 * numbered copies of itself (`Condition2`, …); to a caller they are one type.
 */
export const referenceOf = (schema: JsonSchema): string | null =>
  schema.$ref
    ?.split("/")
    .at(-1)
    ?.replace(/(?<=^Condition)\d+$/u, "") ?? null

/** Every name that a schema refers to, directly. */
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
