/**
 * Generates `src/operation/operations.ts`: the commands that are derived from the contract. The texts of the commands
 * are those of the contract. Tests: `packages/cli/test/operation`.
 */
import { decide } from "@leadloom/core/domain/access/Permission"
import type { Principal } from "@leadloom/core/domain/access/Principal"
import { type Document, fileType } from "../../client/generate/Document.ts"
import { answerKindOf, hasHeader, keylessOf, type Method, pagingOf } from "../../client/generate/Methods.ts"
import { handWritten } from "../src/operation/HandWritten.ts"
import type { Body, Operation } from "../src/operation/Operation.ts"
import { exampleOf } from "./CommandExample.ts"
import { bodyProperties, fieldsOf, helpText } from "./CommandFields.ts"
import { commandOf } from "./CommandNames.ts"

/** The descriptions of groups with operations of several tags. */
const groupTexts: Readonly<Record<string, string>> = {
  conversations: "all messages of a contact on all channels",
  events: "custom events from sources, and the feed of outbound events",
  providers: "send signed events like a provider, for tests",
  runs: "runs of the pipeline"
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

const isOutside = ({ operation }: Method): boolean => operation["x-outside-contract"] === true

const methodsOf = (document: Document): ReadonlyArray<Method> =>
  Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => {
      const [group = "", name = ""] = operation.operationId.split(".")
      return { group, name, verb: verb.toUpperCase(), path, operation }
    })
  )

/** The principals of an API key without restrictions, and of the admin key. */
const apiKey: Principal = { _tag: "ApiKey", tenantId: "demo", keyId: "key_1", scopes: null }
const admin: Principal = { _tag: "Admin" }

const credentialOf = ({ gates }: Document, { operation }: Method): Operation["credential"] => {
  const gate = gates[operation.operationId]
  if (operation.security?.length === 0 || gate === undefined) return "none"
  const isPermitted = (principal: Principal) => decide(principal, gate.operation, "demo") === "allow"
  return isPermitted(admin) && !isPermitted(apiKey) ? "operator" : "tenant"
}

const bodyOf = (document: Document, method: Method): Body | undefined => {
  const { requestBody } = method.operation
  if (requestBody === undefined) return undefined
  const [type] = Object.keys(requestBody.content ?? {})
  // A provider signs the bytes of its body, so the body is sent unchanged.
  const sent = isOutside(method) ? type : fileType(requestBody)
  if (sent !== null && sent !== undefined) return { type: sent }
  const options = new Set(fieldsOf(document, method).map(({ name }) => name))
  const more = Object.keys(bodyProperties(document, method)).filter((name) => !options.has(name))
  return more.length === 0 ? {} : { more }
}

const operationEntry = (document: Document, method: Method): ReadonlyArray<Operation> => {
  const { operation, path } = method
  const command = commandOf(operation.operationId)
  const verb = methods.find((name) => name === method.verb)
  if (command === null || verb === undefined) return []
  const fields = fieldsOf(document, method)
  const body = bodyOf(document, method)
  const paging = pagingOf(document, method)
  const keyless = keylessOf(document, method)
  return [
    {
      id: operation.operationId,
      command,
      method: verb,
      path,
      about: helpText(operation.summary ?? ""),
      example: exampleOf(method, command, fields, body),
      fields,
      ...(body === undefined ? {} : { body }),
      result: isOutside(method) ? "file" : answerKindOf(method),
      credential: credentialOf(document, method),
      ...(paging === null ? {} : { items: paging.items.map(({ field }) => field) }),
      ...(paging === null || paging.cursor === "cursor" ? {} : { cursor: "after" as const }),
      ...(hasHeader(method, "idempotency-key") ? { idempotent: true as const } : {}),
      ...(hasHeader(method, "if-match") ? { versioned: true as const } : {}),
      ...(keyless === null ? {} : { keyless })
    }
  ]
}

/** Returns the descriptions of the groups that contain no command of `src/command`, by their command. */
const groupsOf = (document: Document): Readonly<Record<string, string>> => {
  const existing = new Set(Object.values(handWritten).map((command) => command.split(" ")[0]))
  const groups: Record<string, string> = {}
  for (const { operation } of methodsOf(document)) {
    const [group = "", verb] = commandOf(operation.operationId)?.split(" ") ?? []
    if (verb === undefined || existing.has(group)) continue
    const tag = document.tags?.find(({ name }) => name === operation.tags?.[0])
    groups[group] ??= groupTexts[group] ?? helpText(tag?.description ?? group)
  }
  return groups
}

/** Renders `src/operation/operations.ts`. */
export const renderCatalogue = (document: Document): string => {
  const operations = methodsOf(document).flatMap((method) => operationEntry(document, method))
  return `// Generated from the contract by \`npm run generate\`. Do not edit.
import type { Operation } from "./Operation.ts"

/** The descriptions of the groups of commands. */
export const groups: Readonly<Record<string, string>> = ${JSON.stringify(groupsOf(document), null, 2)}

/** The operations whose commands are derived from the contract, in the order of the contract. */
export const operations: ReadonlyArray<Operation> = ${JSON.stringify(operations, null, 2)}
`
}
