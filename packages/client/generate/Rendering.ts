/**
 * Generates `client/src/operations.ts` from the contract. Runtime code of the client does not belong here. Tests:
 * `packages/client/test/Operations.test.ts`.
 */
import { type Document, fileType, jsonBody, type JsonSchema, referenceOf, referencesIn } from "./Document.ts"
import { renderErrors } from "./Errors.ts"
import { idsOf, idType, type Ids } from "./Ids.ts"
import {
  answerKindOf,
  answerOf,
  hasHeader,
  keylessOf,
  type Method,
  methodsOf,
  pagingOf,
  parametersIn,
  patchedOf
} from "./Methods.ts"
import { comment, declaration, typeText } from "./TypeText.ts"

const header = `// Generated from the contract by \`npm run generate\`. Do not edit.
import type { Id } from "./Id.ts"
import type { MergePatch } from "./MergePatch.ts"
import { type ConditionalOptions, type IdempotentOptions, path, queryOf, type RequestOptions, type Senders, type StreamOptions } from "./Request.ts"
import type { Download, EventStream, PagePromise, ResponsePromise } from "./Result.ts"
`

/** The contract and the facts that several parts of the output need. */
interface Source {
  readonly document: Document
  readonly ids: Ids
}

const camelCase = (name: string): string =>
  name.replaceAll(/[_-](?<letter>[a-z])/gu, (_, letter: string) => letter.toUpperCase())
const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Returns the options types that a method extends. They contain a header only if the operation accepts it. */
const baseOptionsOf = (method: Method): ReadonlyArray<string> => {
  if (answerKindOf(method) === "events") return ["StreamOptions"]
  const bases = [
    ...(hasHeader(method, "if-match") ? ["ConditionalOptions"] : []),
    ...(hasHeader(method, "idempotency-key") ? ["IdempotentOptions"] : [])
  ]
  return bases.length === 0 ? ["RequestOptions"] : bases
}

/** Returns the name and source of the options type: query parameters and common options. */
const optionsOf = ({ ids }: Source, method: Method): { readonly name: string; readonly text: string } => {
  const query = parametersIn(method, "query")
  const bases = baseOptionsOf(method)
  if (query.length === 0) return { name: bases.join(" & "), text: "" }
  const name = `${pascalCase(method.group)}${pascalCase(method.name)}Options`
  const lines = query.map(({ description, name: field, schema }) => {
    const about = comment(description ?? schema.description, "  ")
    const type = idType(ids, field, schema, null) ?? typeText(schema)
    return `${about}  readonly ${camelCase(field)}?: ${type} | undefined\n`
  })
  return { name, text: `export interface ${name} extends ${bases.join(", ")} {\n${lines.join("")}}\n` }
}

const parametersText = (source: Source, method: Method): string => {
  const body = jsonBody(method.operation.requestBody)
  return [
    ...parametersIn(method, "path").map(
      ({ name, schema }) => `${camelCase(name)}: ${idType(source.ids, name, schema, null) ?? "string"}`
    ),
    ...(body === null
      ? []
      : [
          `body: ${typeText(body, "    ", source.ids)}${method.operation.requestBody?.required === false ? " = {}" : ""}`
        ]),
    ...(fileType(method.operation.requestBody) === null ? [] : ["body: Uint8Array<ArrayBuffer>"]),
    `options: ${optionsOf(source, method).name} = {}`
  ].join(", ")
}

/** Returns the source of the request object. */
const requestText = ({ document }: Source, method: Method): string => {
  const upload = fileType(method.operation.requestBody)
  const path = method.path.replaceAll(/\{(?<name>\w+)\}/gu, (_, name: string) => `\${${camelCase(name)}}`)
  const query = parametersIn(method, "query").map(({ name }) => JSON.stringify(name))
  const keyless = keylessOf(document, method)
  const paging = pagingOf(document, method)
  return [
    `method: "${method.verb}"`,
    `path: ${path.includes("${") ? `path\`${path}\`` : JSON.stringify(path)}`,
    ...(query.length === 0 ? [] : [`query: queryOf(options, ${query.join(", ")})`]),
    ...(method.operation.requestBody === undefined ? [] : ["body"]),
    ...(upload === null ? [] : [`upload: ${JSON.stringify(upload)}`]),
    ...(keyless === null ? [] : [`keyless: "${keyless}"`]),
    ...(answerKindOf(method) === "file" ? ["file: true"] : []),
    ...(paging === null ? [] : [`items: ${JSON.stringify(paging.items.map(({ field }) => field))}`]),
    ...(paging === null || paging.cursor === "cursor" ? [] : [`cursor: "${paging.cursor}"`])
  ].join(", ")
}

/** Returns the type of the result and the function that sends the request. */
const resultOf = (source: Source, method: Method): { readonly type: string; readonly sender: string } => {
  const kind = answerKindOf(method)
  if (kind === "events") return { type: "EventStream<EventEnvelope>", sender: "follow" }
  if (kind === "file") return { type: "ResponsePromise<Download>", sender: "call" }
  const answer = answerOf(method)
  const text = answer === null ? "void" : typeText(answer, "    ", source.ids)
  const paging = pagingOf(source.document, method)
  if (paging === null) return { type: `ResponsePromise<${text}>`, sender: "call" }
  const items = [...new Set(paging.items.map(({ schema }) => typeText(schema, "    ", source.ids)))]
  return { type: `PagePromise<${text}, ${items.join(" | ")}>`, sender: "list" }
}

const methodText = (source: Source, method: Method): string => {
  const { sender, type } = resultOf(source, method)
  return `${comment(method.operation.summary, "    ")}    ${method.name}: (${parametersText(source, method)}): ${type} =>
      ${sender}({ ${requestText(source, method)} }, options)`
}

const groupText = (source: Source, name: string, all: ReadonlyArray<Method>): string => {
  const methods = all.filter((method) => method.group === name)
  const tag = methods[0]?.operation.tags?.[0]
  const about = source.document.tags?.find((entry) => entry.name === tag)?.description
  return `${comment(about, "  ")}  ${name}: {\n${methods.map((method) => methodText(source, method)).join(",\n")}\n  }`
}

/** Returns the named schemas that requests, responses and events need, sorted by name. */
const reachable = (document: Document, methods: ReadonlyArray<Method>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const follow = (schema: JsonSchema | null): void => {
    for (const name of schema === null ? [] : referencesIn(schema)) {
      if (seen.has(name)) continue
      seen.add(name)
      follow(document.components.schemas[name] ?? null)
    }
  }
  for (const method of methods) {
    follow(jsonBody(method.operation.requestBody))
    follow(answerOf(method))
    for (const parameter of method.operation.parameters ?? []) follow(parameter.schema)
  }
  return [...seen].toSorted()
}

/** Returns the declarations of the bodies that are JSON merge patches, by schema name. */
const patchTexts = ({ document }: Source, methods: ReadonlyArray<Method>): ReadonlyMap<string, string> =>
  new Map(
    methods.flatMap((method) => {
      const patched = patchedOf(document, method)
      const name = referenceOf(jsonBody(method.operation.requestBody) ?? {})
      if (patched === null || name === null) return []
      return [[name, `export type ${name} = MergePatch<${typeText(patched)}>\n`] as const]
    })
  )

const idTexts = ({ ids }: Source): string =>
  [...new Set(ids.byField.values())]
    .toSorted()
    .map((type) => `export type ${type} = Id<"${type}">\n`)
    .join("")

/**
 * Renders `client/src/operations.ts`: one type per schema, sorted by name, and one method per operation in the order of
 * the document. The output is deterministic.
 */
export const renderOperations = (document: Document): string => {
  const methods = methodsOf(document)
  const source: Source = { document, ids: idsOf(document, methods) }
  const groups = [...new Set(methods.map((method) => method.group))]
  const patches = patchTexts(source, methods)
  const types = reachable(document, methods).map(
    (name) => patches.get(name) ?? declaration(name, document.components.schemas[name] ?? {}, source.ids)
  )
  const options = methods.map((method) => optionsOf(source, method).text).filter((text) => text !== "")
  return [
    header,
    ...renderErrors(document, methods),
    idTexts(source),
    ...types,
    ...options,
    `/** All operations of the API. */\nexport type Operations = ReturnType<typeof operations>\n`,
    `/** Creates the operations on top of functions that send requests. */\nexport const operations = ({ call, follow, list }: Senders) => ({\n${groups.map((group) => groupText(source, group, methods)).join(",\n")}\n})\n`
  ].join("\n")
}
